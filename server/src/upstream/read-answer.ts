// Reads a provider's answer: whether it is what the vendor documents, and whether a refusal counts
// against the provider or concerns only what one caller asked for.
import type { Warning } from '@trivium/contract';
import { shownBody } from './core/refusal.ts';
import type { Refusal, Reply } from './core/refusal.ts';
import { isUnreadable, type Repeat } from '../providers/index.ts';

/** How one product repeats a refused call in another form, and reads the answer. */
export interface AnswerHandling<T> {
  repeat?: Repeat | undefined;
  /** The reason, when a refusal concerns the pages asked for and not the provider. */
  pageFault?: ((refusal: Refusal) => string | undefined) | undefined;
  /** Throws when the answer is not what the vendor documents. */
  read?: (reply: Reply) => T;
  /** What `read` expects, for the error message. */
  awaits?: string;
}

export type CallOutcome<T = undefined> =
  | { kind: 'answered'; reply: Reply; value?: T; warning?: Warning }
  | { kind: 'no_results'; reply: Reply }
  | { kind: 'refused'; refusal: Refusal };

/**
 * An answer that does not match the vendor's documentation is a failure of the vendor. Any other
 * error is a defect of the adapter: `onDefect` reports it, and the caller gets the same refusal,
 * because the provider has done the work.
 */
export function withReading<T>(
  outcome: CallOutcome,
  { read: readAnswer, awaits }: AnswerHandling<T>,
  onDefect: (error: unknown) => void,
): CallOutcome<T> {
  if (outcome.kind !== 'answered') return outcome;
  const { reply } = outcome;
  try {
    return { kind: 'answered', reply, ...(readAnswer ? { value: readAnswer(reply) } : {}) };
  } catch (error) {
    if (!isUnreadable(error)) onDefect(error);
    return { kind: 'refused', refusal: unreadable(reply, awaits) };
  }
}

export function unreadable(reply: Reply, awaited = 'an answer'): Refusal {
  const message = `the provider answered with something that is not ${awaited}`;
  return { kind: 'uncertain', message, status: reply.status, body: shownBody(reply) };
}

/** The refusal as it counts against the provider; undefined when it concerns only the pages. */
export function blameOf<T>(
  refusal: Refusal,
  { pageFault }: AnswerHandling<T>,
  { hurried }: { hurried?: true },
): Refusal | undefined {
  if (pageFault?.(refusal) !== undefined) return undefined;
  const unsure = (refusal.late && hurried) || refusal.too_large;
  return unsure ? { ...refusal, kind: 'abandoned' } : refusal;
}
