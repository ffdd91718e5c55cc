// Checks a transcript before its caller reads it: the text, and its words.
import type { ContentMode } from '@trivium/contract';
import { describe, describeIn } from './core/guard.ts';
import { clean } from './core/scan.ts';
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

export async function checkTranscript<T extends Spoken>(
  { contentThread }: ContentContext,
  transcript: T,
  mode: ContentMode,
): Promise<CheckedTranscript<T>> {
  const { text, words } = transcript;
  // The words of a provider may contain what is not in its text.
  const spoken = words?.map((word) => word.text).join(' ') ?? '';
  const texts = spoken === text ? [text] : [text, spoken];
  const [first, second] = await contentThread.scan(texts, mode === 'clean');
  const own = first?.signals ?? [];
  const others = (second?.signals ?? []).filter(({ id }) => !own.some((one) => one.id === id));
  const signals = joinSignals([...own, ...others]);
  if (signals.length === 0) return { transcript, found: undefined, isBlocked: false };
  if (mode === 'block') return { transcript, found: describe(signals), isBlocked: true };
  const found = describeIn(signals, mode);
  if (mode === 'annotate') return { transcript, found, isBlocked: false };
  const changed = {
    text: first?.cleaned ?? text,
    ...(words ? { words: words.map(cleanWord) } : {}),
  };
  return { transcript: { ...transcript, ...changed }, found, isBlocked: false };
}

function cleanWord<T extends { text: string }>(word: T): T {
  const text = clean(word.text);
  return text === word.text ? word : { ...word, text };
}
