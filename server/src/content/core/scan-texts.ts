// Scans the texts of an answer, and cleans those that need it.
import { sift } from './scan.ts';
import type { Signal } from './signals.ts';

export interface ScannedText {
  signals: Signal[];
  /** The text without what can be removed, if cleaning was requested and changes the text. */
  cleaned?: string;
}

export function scanTexts(texts: readonly string[], isCleaned: boolean): ScannedText[] {
  return texts.map((text) => scanText(text, isCleaned));
}

function scanText(text: string, isCleaned: boolean): ScannedText {
  const { signals, cleaned } = sift(text);
  return cleaned !== text && isCleaned ? { signals, cleaned } : { signals };
}
