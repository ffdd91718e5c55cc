// A transcript as markup: turns with their times, and only a part of a long one.
import { expect, test } from 'bun:test';
import type { Transcript, Word } from '@trivium/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { rangeAround, TranscriptView } from './transcript.tsx';

function draw(words: Word[]): string {
  const text = words.map((word) => word.text).join(' ');
  const usage = { cost_usd: 0, credits: 0 };
  const transcript: Transcript = { text, words, provider: 'stt_a', model: null, usage };
  return renderToStaticMarkup(createElement(TranscriptView, { transcript }));
}

const wordsIn = (drawn: string) => drawn.match(/data-at="\d+"/g)?.length ?? 0;

test('each turn has its speaker and its time, and its words one tab stop', () => {
  const drawn = draw([
    { text: 'Good', start: 0, end: 0.4, speaker_id: 'speaker_0' },
    { text: 'morning.', start: 0.4, end: 1, speaker_id: 'speaker_0' },
    { text: 'Hello.', start: 61, end: 62, speaker_id: 'speaker_1' },
  ]);
  expect(drawn.replaceAll(/<[^>]+>/g, '')).toContain('Speaker 10:00 – 0:01Good morning.');
  expect(drawn.replaceAll(/<[^>]+>/g, '')).toContain('Speaker 21:01 – 1:02Hello.');
  expect(drawn.match(/tabindex="0"/g)).toHaveLength(1);
});

test('ten hours of words are drawn in parts of 1,500', () => {
  const words = Array.from({ length: 90_000 }, (_, at) => {
    const start = at * 0.4;
    return { text: 'word', start, end: start + 0.3 };
  });
  const drawn = draw(words);
  expect(wordsIn(drawn)).toBe(1500);
  expect(drawn.includes('Show more of 90,000 words')).toBe(true);
  // The word that is played is always among the rendered words.
  for (const at of [0, 1499, 1500, 89_999]) {
    const { from, to } = rangeAround(at);
    expect(at).toBeWithin(from, to);
    expect([from % 1500, to - from]).toEqual([0, 1500]);
  }
});
