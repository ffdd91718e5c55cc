// Turns a vendor's transcript into the job's result: the text is unchanged, speakers are
// renumbered, and the price follows from the reported duration.
import type { TranscriberId } from '@trivium/contract';
import { wholeEnd } from '@trivium/shared/whole-end';
import { microUsdPerCredit, usd } from '../../billing/core/index.ts';
import type { ReadWord, TranscriptReading } from './submission.ts';

export interface TranscriptFacts {
  provider: TranscriberId;
  /** The model that the provider was asked for. */
  model: string;
  /** The language as the caller wrote it. It takes precedence over a detected one. */
  language?: string;
  /** True if the caller wants the words. */
  hasWords: boolean;
  /** The recording length whose price is held. */
  heldSeconds: number;
  /** In micro-USD, for the model and the channels that the vendor reports, if any. */
  priceOf: (seconds: number, ran: ReportedRun) => number;
}

interface ReportedRun {
  model?: string | undefined;
  channels?: number | undefined;
}

export interface WrittenTranscript {
  /** The result as JSON, in parts that each fit into one statement. */
  parts: string[];
  model: string;
  /** In micro-USD. */
  cost: number;
  notes: TranscriptNotes;
}

/** What an operator should know about a transcript. */
export interface TranscriptNotes {
  /** How many words could not be read and were left out. */
  unread_words?: number;
  /** As the vendor measured the recording. */
  duration_seconds?: number;
  /** The last word ends long before the recording does. */
  ends_early?: { heard_seconds: number; duration_seconds: number };
  /** What was charged for, if the vendor reports no usable duration. */
  charged_to?: ChargedTo;
}

export type ChargedTo = 'last_word' | 'hold';

/** No vendor accepts a longer recording, so a longer duration is wrong and is ignored. */
export const maxDurationSeconds = 48 * 3600;
/** Up to this length and this share of a recording, silence at its end is usual. */
const usualSilenceSeconds = 60;
const usualSilenceShare = 0.2;
const wordsPerPart = 2000;
const charsPerPart = 128 * 1024;

export function writeTranscript(
  reading: TranscriptReading,
  facts: TranscriptFacts,
): WrittenTranscript {
  const ran = { model: reading.model ?? undefined, channels: reading.channels };
  const model = reading.model ?? facts.model;
  const duration = readDuration(reading.duration_seconds);
  const seconds = duration ?? endOfLastWord(reading);
  const isFree = reading.is_free === true && seconds === undefined && reading.text === '';
  const cost = isFree ? 0 : priceOf(facts, seconds, ran);
  const language = facts.language ?? reading.language;
  const head = JSON.stringify({
    ...(language === undefined ? {} : { language }),
    ...(duration === undefined ? {} : { duration_seconds: duration }),
    provider: facts.provider,
    model,
    usage: { cost_usd: usd(cost), credits: Math.ceil(cost / microUsdPerCredit) },
  });
  const parts = cutText(`{"text":${JSON.stringify(reading.text)},${head.slice(1, -1)}`);
  const { words, has_speakers } = reading;
  if (facts.hasWords && words) parts.push(...wordParts(words, has_speakers));
  parts.push('}');
  const notes = notesOn(reading, duration);
  if (duration === undefined && !isFree)
    notes.charged_to = seconds === undefined ? 'hold' : 'last_word';
  return { parts: joinShort(parts), model, cost, notes };
}

/** Nothing that the vendor reports makes a job without words cost more than its hold. */
function priceOf(facts: TranscriptFacts, seconds: number | undefined, ran: ReportedRun): number {
  return seconds === undefined ? facts.priceOf(facts.heldSeconds, {}) : facts.priceOf(seconds, ran);
}

function notesOn(
  { unread_words = 0, heard_until = 0 }: TranscriptReading,
  duration: number | undefined,
): TranscriptNotes {
  const isEarly = duration !== undefined && heard_until > 0 && endsEarly(heard_until, duration);
  return {
    ...(unread_words > 0 ? { unread_words } : {}),
    ...(duration === undefined ? {} : { duration_seconds: duration }),
    ...(isEarly ? { ends_early: { heard_seconds: heard_until, duration_seconds: duration } } : {}),
  };
}

/** A transcript without words means silence, which is a valid result. */
function endsEarly(heardUntil: number, duration: number): boolean {
  const silence = duration - heardUntil;
  return silence > usualSilenceSeconds && silence > duration * usualSilenceShare;
}

function readDuration(seconds: TranscriptReading['duration_seconds']): number | undefined {
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > maxDurationSeconds)
    return undefined;
  return seconds;
}

/** Undefined if no word has a usable end. */
function endOfLastWord({ words }: TranscriptReading): number | undefined {
  const last = (words ?? []).reduce(
    (latest, { end }) => Math.max(latest, readDuration(end) ?? 0),
    0,
  );
  return last > 0 ? last : undefined;
}

function wordParts(words: readonly ReadWord[], hasSpeakers: boolean): string[] {
  const speakers = new Map<string, string>();
  const parts = [',"words":['];
  for (let at = 0; at < words.length; at += wordsPerPart) {
    const written = words.slice(at, at + wordsPerPart).map((word) => {
      const speakerId = hasSpeakers ? numberOf(speakers, word.speaker) : undefined;
      return JSON.stringify(showWord(word, speakerId));
    });
    parts.push((at === 0 ? '' : ',') + written.join(','));
  }
  return [...parts, ']'];
}

function showWord({ text, start, end, confidence }: ReadWord, speakerId: string | undefined) {
  const from = Math.max(0, start);
  return {
    text,
    start: from,
    end: Math.max(from, end),
    ...(speakerId === undefined ? {} : { speaker_id: speakerId }),
    ...(typeof confidence !== 'number' ? {} : { confidence: Math.min(1, Math.max(0, confidence)) }),
  };
}

/** Speakers are numbered in the order in which they first speak. */
function numberOf(speakers: Map<string, string>, label: ReadWord['speaker']): string | undefined {
  if (typeof label !== 'string') return undefined;
  const known = speakers.get(label) ?? `speaker_${speakers.size}`;
  speakers.set(label, known);
  return known;
}

/** Splits a text, given in pieces of any length, into parts that each fit into one statement. */
export function cutIntoParts(pieces: readonly string[]): string[] {
  return joinShort(pieces.flatMap(cutText));
}

function cutText(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    // Each part is stored as a separate text.
    const end = at + charsPerPart < text.length ? wholeEnd(text, at + charsPerPart) : text.length;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

function joinShort(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + part.length <= charsPerPart) {
      joined[joined.length - 1] = last + part;
    } else joined.push(part);
  }
  return joined;
}
