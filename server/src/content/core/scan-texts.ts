// Scans the texts of an answer, and cleans those that need it.
import { clean, scan } from './scan.ts';
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
  const signals = scan(text);
  return signals.length > 0 && isCleaned ? { signals, cleaned: clean(text) } : { signals };
}
