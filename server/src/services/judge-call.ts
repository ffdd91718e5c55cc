// Judges what came back from a provider: whether it is the answer that was promised, and whether a
// refusal speaks of the provider itself or of what one caller asked for.
import type { Warning } from '@trivium/contract';
import { shownBody } from '../domain/refusal.ts';
import type { Refusal, Reply } from '../domain/refusal.ts';
import type { Repeat } from '../providers/provider.ts';

/** How one product words its calls again and reads what comes back. */
export interface Manner<T> {
  repeat?: Repeat | undefined;
  /** The reason, when a refusal concerns the pages asked for and not the provider. */
  pageFault?: ((refusal: Refusal) => string | undefined) | undefined;
  /** Throws when the answer is not what the vendor promises. */
  read?: (reply: Reply) => T;
  /** What that would be. */
  awaits?: string;
}

export type Outcome<T = undefined> =
  | { kind: 'answered'; reply: Reply; value?: T; warning?: Warning }
  | { kind: 'no_results'; reply: Reply }
  | { kind: 'refused'; refusal: Refusal };

/** What is no answer by the vendor's own description is its failure, as a broken one is. */
export function withReading<T>(
  outcome: Outcome,
  { read: readAnswer, awaits }: Manner<T>,
): Outcome<T> {
  if (outcome.kind !== 'answered') return outcome;
  const { reply } = outcome;
  try {
    return { kind: 'answered', reply, ...(readAnswer ? { value: readAnswer(reply) } : {}) };
  } catch {
    return { kind: 'refused', refusal: unreadable(reply, awaits) };
  }
}

export function unreadable(reply: Reply, awaited = 'an answer'): Refusal {
  const message = `the provider answered with something that is not ${awaited}`;
  return { kind: 'uncertain', message, status: reply.status, body: shownBody(reply) };
}

/** What a refusal says of the provider itself; undefined when it speaks of the pages alone. */
export function blameOf<T>(
  refusal: Refusal,
  { pageFault }: Manner<T>,
  { hurried }: { hurried?: true },
): Refusal | undefined {
  if (pageFault?.(refusal) !== undefined) return undefined;
  const unsure = (refusal.late && hurried) || refusal.too_large;
  return unsure ? { ...refusal, kind: 'abandoned' } : refusal;
}
