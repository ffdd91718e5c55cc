// A transcript as files: the text names the speakers, the subtitles are those of the SDK.
import { expect, test } from 'bun:test';
import { toSrt, toVtt } from '@trivium/sdk';
import { filesOf } from './transcript-files.ts';

const words = [
  { text: 'Good', start: 0, end: 0.4, speaker_id: 'speaker_0' },
  { text: 'morning.', start: 0.4, end: 1, speaker_id: 'speaker_0' },
  { text: 'Hello.', start: 61, end: 62, speaker_id: 'speaker_1' },
];
const made = { provider: 'stt_a', model: null, usage: { cost_usd: 0, credits: 0 } } as const;

test('the three files', () => {
  const files = filesOf({ text: 'Good morning. Hello.', words, ...made });
  expect(files.map(({ name }) => name)).toEqual([
    'transcript.txt',
    'transcript.srt',
    'transcript.vtt',
  ]);
  const [text, srt, vtt] = files.map((file) => file.text());
  expect(text).toBe('Speaker 1 (0:00): Good morning.\n\nSpeaker 2 (1:01): Hello.\n');
  expect([srt, vtt]).toEqual([toSrt(words), toVtt(words)]);
});

test('without times there is only the text', () => {
  const files = filesOf({ text: 'Hello.', ...made });
  expect(files.map((file) => file.text())).toEqual(['Hello.\n']);
});
