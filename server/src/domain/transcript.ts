// A vendor's transcript as our result: the text as it came, speakers renumbered, the price of what
// was reported.
import type { TranscriberId, TranscriptionUsage } from '@trivium/contract';
import { micro_usd_per_credit, usd } from './money.ts';
import type { TranscribeAsk } from './negotiation/transcribe-asks.ts';
import type { Reading, ReadWord } from './submission.ts';

export interface TranscriptFacts {
  provider: TranscriberId;
  /** The model named to the provider. */
  model: string;
  /** The language as the caller wrote it, which wins over a detected one. */
  language?: string;
  ask: TranscribeAsk;
  /** Micro-USD for so many seconds on a model. */
  priceOf: (seconds: number, model: string) => number;
}

export interface WrittenTranscript {
  /** The result as JSON, in parts that are small enough to be moved one at a time. */
  parts: string[];
  model: string;
  /** Micro-USD; nothing without a duration. */
  cost: number;
}

/** No vendor takes a recording this long: a figure above it is a fault, and is not billed. */
export const max_duration_seconds = 48 * 3600;
const words_per_part = 2000;
const chars_per_part = 128 * 1024;

export function writeTranscript(reading: Reading, facts: TranscriptFacts): WrittenTranscript {
  const model = reading.model ?? facts.model;
  const duration = readDuration(reading.duration_seconds);
  const billed_seconds = duration ?? secondsInstead(reading);
  const cost = billed_seconds === undefined ? 0 : facts.priceOf(billed_seconds, model);
  const language = facts.language ?? reading.language;
  const head = JSON.stringify({
    ...(language === undefined ? {} : { language }),
    ...(duration === undefined ? {} : { duration_seconds: duration }),
    provider: facts.provider,
    model,
    ...(billed_seconds === undefined ? {} : { usage: transcriptionUsage(cost) }),
  });
  const parts = cutText(`{"text":${JSON.stringify(reading.text)},${head.slice(1, -1)}`);
  if (facts.ask.timestamps !== 'none') parts.push(...wordParts(reading.words, facts.ask));
  parts.push('}');
  return { parts: joinShort(parts), model, cost };
}

export function transcriptionUsage(cost: number): TranscriptionUsage {
  return { cost_usd: usd(cost), credits: Math.ceil(cost / micro_usd_per_credit) };
}

function readDuration(seconds: Reading['duration_seconds']): number | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > max_duration_seconds)
    return undefined;
  return seconds;
}

/** A reported length that cannot be is not billed; the end of the last word is, if it can be. */
function secondsInstead({ duration_seconds, words }: Reading): number | undefined {
  if (duration_seconds === undefined || duration_seconds === null) return undefined;
  const ends = words.map(({ end }) => readDuration(end) ?? 0);
  return ends.length === 0 ? undefined : ends.reduce((last, end) => Math.max(last, end), 0);
}

function wordParts(words: readonly ReadWord[], { diarize }: TranscribeAsk): string[] {
  const speakers = new Map<string, string>();
  const parts = [',"words":['];
  for (let at = 0; at < words.length; at += words_per_part) {
    const shown = words.slice(at, at + words_per_part).map((word) => {
      const speaker_id = diarize ? numberOf(speakers, word.speaker) : undefined;
      return JSON.stringify(showWord(word, speaker_id));
    });
    parts.push((at === 0 ? '' : ',') + shown.join(','));
  }
  return [...parts, ']'];
}

function showWord({ text, start, end, confidence }: ReadWord, speaker_id: string | undefined) {
  const from = Math.max(0, start);
  return {
    text,
    start: from,
    end: Math.max(from, end),
    ...(speaker_id === undefined ? {} : { speaker_id }),
    ...(typeof confidence !== 'number' ? {} : { confidence: Math.min(1, Math.max(0, confidence)) }),
  };
}

/** Numbered in the order in which they first speak, whatever the vendor calls them. */
function numberOf(speakers: Map<string, string>, label: ReadWord['speaker']): string | undefined {
  if (typeof label !== 'string') return undefined;
  const known = speakers.get(label) ?? `speaker_${speakers.size}`;
  speakers.set(label, known);
  return known;
}

function cutText(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    let end = Math.min(at + chars_per_part, text.length);
    // A character of two units must not be torn apart: each part is stored as text of its own.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function joinShort(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + part.length <= chars_per_part) {
      joined[joined.length - 1] = last + part;
    } else joined.push(part);
  }
  return joined;
}
