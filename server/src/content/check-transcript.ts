// Checks a transcript before its caller reads it: the text, and its words.
import { type ContentMode, GatewayError } from '@trivium/contract';
import { describe, describeIn } from './core/guard.ts';
import { isUnchecked } from './core/scan-texts.ts';
import { joinSignals } from './core/signals.ts';
import type { ContentContext } from './guard-answer.ts';

interface Spoken {
  text: string;
  words?: { text: string }[] | undefined;
}

interface CheckedTranscript<T> {
  transcript: T;
  /** What was found, as text. Undefined if nothing was. */
  found: string | undefined;
  /** True if the caller may not read it. */
  isBlocked: boolean;
}

/** Throws if the mode is `clean` and a text could not be checked. */
export async function checkTranscript<T extends Spoken>(
  { contentThread }: ContentContext,
  account: string,
  transcript: T,
  mode: ContentMode,
): Promise<CheckedTranscript<T>> {
  const { text, words } = transcript;
  // The words of a provider may contain what is not in its text.
  const spoken = words?.map((word) => word.text).join(' ') ?? '';
  const texts = spoken === text ? [text] : [text, spoken];
  const [first, second] = await contentThread.scan(texts, mode === 'clean', account);
  const own = first?.signals ?? [];
  const others = (second?.signals ?? []).filter(({ id }) => !own.some((one) => one.id === id));
  const signals = joinSignals([...own, ...others]);
  if (signals.length === 0) return { transcript, found: undefined, isBlocked: false };
  if (mode === 'block') return { transcript, found: describe(signals), isBlocked: true };
  const found = describeIn(signals, mode);
  if (mode === 'annotate') return { transcript, found, isBlocked: false };
  const each = words?.map((word) => word.text) ?? [];
  const scanned = await contentThread.scan(each, true, account);
  if ([{ signals }, ...scanned].some((one) => isUnchecked(one.signals))) throw notCleaned();
  const cleaned = words?.map((word, at) => ({ ...word, text: scanned[at]?.cleaned ?? word.text }));
  const changed = { text: first?.cleaned ?? text, ...(cleaned ? { words: cleaned } : {}) };
  return { transcript: { ...transcript, ...changed }, found, isBlocked: false };
}

function notCleaned(): GatewayError {
  const message =
    'The transcript could not be cleaned in time. Try again in a few seconds, ' +
    'or read it with x-trivium-content: annotate.';
  const answer = { status: 503, headers: { 'retry-after': '2' } };
  return new GatewayError('provider_not_available', message, undefined, answer);
}
