// Scans the texts of an answer, and cleans those that need it.
import { sift } from './scan.ts';
import { isSignal, type Signal } from './signals.ts';

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
  return texts.map((text) => scanText(text, isCleaned));
}

function scanText(text: string, isCleaned: boolean): ScannedText {
  const { signals, cleaned } = sift(text);
  return cleaned !== text && isCleaned ? { signals, cleaned } : { signals };
}
