// What callers read of a transcript, and what they are charged for it.
import fc from 'fast-check';
import { Transcript, transcriberIds } from '@trivium/contract';
import { test } from 'bun:test';
import { expect, proves } from '../../../../e2e/proves.ts';
import { usd } from '../../billing/core/index.ts';
import { listPrices, providers } from '../../providers/registry.ts';
import type { ReadWord } from './submission.ts';
import {
  type ChargedTo,
  type TranscriptFacts,
  maxDurationSeconds,
  writeTranscript,
} from './transcript.ts';

const facts: TranscriptFacts = {
  provider: 'stt_a',
  model: 'asked',
  hasWords: true,
  heldSeconds: 3600,
  priceOf: (seconds) => seconds * 100 + 1,
};
const word = (text: string, speaker: string, start = 0) => ({
  text,
  start,
  end: start + 1,
  speaker,
});
const labelled = { has_speakers: true };
const read = (parts: string[]) => Transcript.parse(JSON.parse(parts.join('')));

test('speakers are numbered by first appearance, and the price follows the duration', () => {
  const words = [word('Hi', 'C'), word('there', 'A', 1), word('again', 'C', 2)];
  const { parts, cost } = writeTranscript(
    { text: 'Hi there again', duration_seconds: 10, words, model: 'ran', ...labelled },
    facts,
  );
  const result = read(parts);
  expect(result.words?.map(({ speaker_id }) => speaker_id)).toEqual([
    'speaker_0',
    'speaker_1',
    'speaker_0',
  ]);
  expect(cost).toBe(1001);
  expect(result.usage).toEqual({ cost_usd: 0.001001, credits: 2 });
  expect(result.model).toBe('ran');
});

const unusable = [
  ...[undefined, null, 0, -0, -1, NaN, Infinity, 1e308, maxDurationSeconds + 1],
  ...['', '60', {}, [], true],
];

test('without a usable duration a job is charged to its last word, or its hold', () => {
  const spoken = [word('Hi', 'A'), word('there', 'A', 6), { ...word('x', 'A'), end: 1e308 }];
  const endless = { ...word('x', 'A'), end: maxDurationSeconds + 1 };
  const silent = [
    undefined,
    [],
    [endless],
    [
      { ...endless, end: 0 },
      { ...endless, end: -1 },
    ],
  ];
  const cases = [[spoken, 701, 'last_word'], ...silent.map((words) => [words, 360_001, 'hold'])];
  for (const duration of unusable) {
    for (const [words, expected, charged_to] of cases as [ReadWord[], number, ChargedTo][]) {
      const reading = { text: '', words, duration_seconds: duration, channels: 100, ...labelled };
      const dear = {
        ...facts,
        priceOf: (seconds: number, { channels = 1 }) => seconds * 100 * channels + 1,
      };
      const { parts, cost, notes } = writeTranscript(reading, charged_to === 'hold' ? dear : facts);
      proves('money.transcription.no-report', () => expect(cost).toBe(expected));
      const result = read(parts);
      proves('job-result.duration-left-out', () =>
        expect(result).not.toHaveProperty('duration_seconds'),
      );
      expect([result.usage?.cost_usd, notes.charged_to]).toEqual([usd(cost), charged_to]);
    }
  }
});

test('silence that the vendor does not charge for is free, and words never are', () => {
  const silence = { text: '', words: [], is_free: true as const, ...labelled };
  expect(writeTranscript(silence, facts)).toMatchObject({ cost: 0, notes: {} });
  for (const words of [{ text: 'Hi' }, { words: [word('Hi', 'A')] }, { duration_seconds: 7 }]) {
    expect(writeTranscript({ ...silence, ...words }, facts).cost).toBeGreaterThan(0);
  }
});

test('a duration of just under two days is billed in full', () => {
  const reading = { text: '', words: [], duration_seconds: 47.9 * 3600, ...labelled };
  proves('money.transcription.long-in-full', () =>
    expect(writeTranscript(reading, facts).cost).toBe(47.9 * 360_000 + 1),
  );
});

test('the cost is never below zero, whatever a provider reports', () => {
  const figure = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.constantFrom(-1, -0, -1e308, 1e308, 0.000_001, maxDurationSeconds),
  );
  // The wire schemas let only finite times through.
  const time = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  const readWord = fc.record({ text: fc.string(), start: time, end: time });
  const property = fc.property(
    fc.constantFrom(...transcriberIds),
    fc.option(figure, { nil: undefined }),
    fc.array(readWord, { maxLength: 3 }),
    fc.boolean(),
    (id, durationSeconds, words, extras) => {
      const sent = { model: 'any', ...(extras ? { diarize: true, keyterm: ['term'] } : {}) };
      const rates = listPrices[id]?.transcribe ?? {};
      const { parts, cost } = writeTranscript(
        {
          text: '',
          words,
          ...labelled,
          ...(durationSeconds === undefined ? {} : { duration_seconds: durationSeconds }),
        },
        {
          provider: id,
          model: 'any',
          hasWords: true,
          heldSeconds: 3600,
          priceOf: (seconds, ran) =>
            providers[id].transcribe?.price.cost({ ...ran, sent, seconds, rates }) ?? NaN,
        },
      );
      expect(cost).toBeGreaterThanOrEqual(0);
      const { usage } = read(parts);
      expect(usage?.cost_usd).toBe(usd(cost));
      expect(usage?.credits).toBeGreaterThanOrEqual(0);
    },
  );
  proves('usage.transcription-never-negative', () => void fc.assert(property, { numRuns: 2000 }));
});

test('words are left out for none, speakers unless asked for, and figures kept in range', () => {
  const words = [{ text: 'x', start: -0.1, end: -0.2, speaker: 'A', confidence: 1.2 }];
  const reading = { text: 'x', words, has_speakers: false };
  const quiet = { ...facts, hasWords: false };
  expect(read(writeTranscript(reading, quiet).parts)).not.toHaveProperty('words');
  const untimed = { ...reading, words: undefined };
  expect(read(writeTranscript(untimed, facts).parts)).not.toHaveProperty('words');
  expect(read(writeTranscript(reading, facts).parts).words).toEqual([
    { text: 'x', start: 0, end: 0, confidence: 1 },
  ]);
});

test('a long transcript comes in parts, none of which tears a character apart', () => {
  const text = '🌊'.repeat(200_000);
  const words = Array.from({ length: 90_000 }, (_, at) => word(`w${at}`, 'A', at));
  const { parts } = writeTranscript({ text, words, ...labelled }, facts);
  expect(parts.length).toBeGreaterThan(20);
  for (const part of parts) expect(part.isWellFormed()).toBe(true);
  const result = read(parts);
  expect(result.text).toBe(text);
  expect(result.words).toHaveLength(90_000);
});

test('a transcript that ends long before its recording is noted, and silence is not', () => {
  const noted = (heardUntil: number, duration: unknown) => {
    const reading = { text: 'x', words: [], ...labelled, heard_until: heardUntil };
    return writeTranscript({ ...reading, duration_seconds: duration }, facts).notes;
  };
  expect(noted(900, 2700)).toEqual({
    duration_seconds: 2700,
    ends_early: { heard_seconds: 900, duration_seconds: 2700 },
  });
  for (const [heard, duration] of [
    [0, 2700],
    [2690, 2700],
    [2400, 2700],
    [10, 60],
    [40, 100],
    [800, 1000],
    [3000, 2700],
  ] as const) {
    expect([heard, duration, noted(heard, duration)]).toEqual([
      heard,
      duration,
      { duration_seconds: duration },
    ]);
  }
  const reading = { text: 'x', words: [], ...labelled, unread_words: 2, duration_seconds: 5 };
  expect(writeTranscript(reading, facts).notes).toEqual({
    unread_words: 2,
    duration_seconds: 5,
  });
});
