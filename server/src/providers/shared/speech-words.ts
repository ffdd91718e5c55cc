// Words as speech vendors report them. Any field of an answer may be absent or null. A word that
// cannot be read is left out and counted, and the transcript is kept.
import type { TranscriptReading } from '../../transcription/core/index.ts';

type ReadWord = NonNullable<TranscriptReading['words']>[number];
type Entry = Readonly<Record<string, unknown>>;

interface ReadWords {
  words: ReadWord[];
  unread_words: number;
  heard_until: number;
}

/** If a field other than the speaker or the confidence is undefined, the word is unreadable. */
interface WordFields {
  text: unknown;
  /** In seconds. */
  start: unknown;
  end: unknown;
  confidence?: unknown;
  /** A number or a text. */
  speaker?: unknown;
  /** A pause or a noise, which is not a word. */
  isSound?: boolean;
}

export function readWords(list: unknown, readFields: (entry: Entry) => WordFields): ReadWords {
  const found: ReadWords = { words: [], unread_words: 0, heard_until: 0 };
  if (list === undefined || list === null) return found;
  if (!Array.isArray(list)) return { ...found, unread_words: 1 };
  for (const entry of list as readonly unknown[]) {
    const fields = isObject(entry) ? readFields(entry) : undefined;
    const [start, end] = [numberIn(fields?.start), numberIn(fields?.end)];
    if (end !== undefined) found.heard_until = Math.max(found.heard_until, end);
    if (fields?.isSound === true) continue;
    const text = textIn(fields?.text);
    if (text === undefined || start === undefined || end === undefined) {
      found.unread_words += 1;
      continue;
    }
    const confidence = numberIn(fields?.confidence);
    found.words.push({ text, start, end, confidence, speaker: labelIn(fields?.speaker) });
  }
  return found;
}

/** What one channel of a recording says. */
export interface Channel extends ReadWords {
  text: string;
}

/** Orders the channels by when each is first heard, and their words by time. */
export function joinChannels(channels: readonly Channel[]): Channel {
  const [only] = channels;
  if (only && channels.length === 1) return only;
  const inOrder = channels.toSorted((one, other) => firstStart(one) - firstStart(other) || 0);
  return {
    text: inOrder
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    words: channels.flatMap(({ words }) => words).toSorted((one, other) => one.start - other.start),
    unread_words: channels.reduce((sum, { unread_words }) => sum + unread_words, 0),
    heard_until: channels.reduce((last, { heard_until }) => Math.max(last, heard_until), 0),
  };
}

function firstStart({ words }: Channel): number {
  return words.reduce((first, { start }) => Math.min(first, start), Infinity);
}

export function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(value: unknown): Entry {
  return isObject(value) ? value : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The label of a speaker or a channel. */
export function labelIn(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textIn(value);
}

/** True if an option asks for anything, including a value that cannot be read. */
export function isOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false;
  return !Array.isArray(value) || value.length > 0;
}
