// Scans one text from the web for everything that is not meant for a reader, and removes what can
// be removed. Takes linear time in the length of the text.
import { hiddenParts } from './hidden-characters.ts';
import { findInstructions } from './instructions.ts';
import { findLookalikeHosts } from './lookalikes.ts';
import { markupParts } from './markup.ts';
import { findEncoded } from './outgoing-data.ts';
import { type Signal, isSignal, joinSignals, withoutParts } from './signals.ts';

interface Sifted {
  signals: Signal[];
  /** The text without what is not shown and what would carry data out. Sentences stay. */
  cleaned: string;
}

/** Enough for markup within markup. A text that needs more is designed to leave something behind. */
const maxPasses = 12;

/** Removes parts until none is left. Of a text that has still more of them, nothing is left. */
function removeParts(text: string): Sifted {
  const signals: Signal[] = [];
  let rest = text;
  let origin = (position: number) => position;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const hidden = hiddenParts(rest);
    const parts = hidden.length > 0 ? hidden : markupParts(rest);
    if (parts.length === 0) return { signals, cleaned: rest };
    const before = origin;
    const removed = withoutParts(rest, parts);
    signals.push(...removed.signals.map((signal) => ({ ...signal, at: before(signal.at) })));
    origin = (position) => before(removed.at(position));
    rest = removed.text;
  }
  return { signals, cleaned: '' };
}

const findWords = (text: string) => [
  ...findLookalikeHosts(text),
  ...findInstructions(text),
  ...findEncoded(text),
];

export function sift(text: string): Sifted {
  const { signals, cleaned } = removeParts(text);
  const words = findWords(text);
  // What was removed may have separated the letters of a word.
  const revealed = cleaned === text ? [] : findWords(cleaned);
  const added = revealed.filter(({ id }) => words.every((one) => one.id !== id));
  return { signals: joinSignals([...signals, ...words, ...added]), cleaned };
}

export interface ScannedText {
  signals: Signal[];
  /** The text without what can be removed, if cleaning was requested and changes the text. */
  cleaned?: string;
}

/** A text whose check took too long or failed. It may contain anything. */
export const notChecked: ScannedText = { signals: [{ id: 'not_checked', at: 0, count: 1 }] };

export function isScannedText(value: unknown): value is ScannedText {
  const { signals, cleaned } = Object(value) as Record<keyof ScannedText, unknown>;
  const isText = cleaned === undefined || typeof cleaned === 'string';
  return isText && Array.isArray(signals) && signals.every(isSignal);
}

export function isUnchecked(signals: readonly Signal[]): boolean {
  return signals.some(({ id }) => id === 'not_checked');
}

export function scanTexts(texts: readonly string[], isCleaned: boolean): ScannedText[] {
  return texts.map((text) => {
    const { signals, cleaned } = sift(text);
    return cleaned !== text && isCleaned ? { signals, cleaned } : { signals };
  });
}
