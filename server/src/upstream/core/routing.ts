// The order in which `auto` tries the providers of one request.
import type { ProviderId, Routing } from '@trivium/contract';

/** The median latency of a provider, and how many answers it is based on. */
export interface Measured {
  p50_ms: number;
  answers: number;
}

/** A provider that can serve, at its position in the fixed order. */
export interface Candidate {
  id: ProviderId;
  /**
   * The most that this request can cost, in micro-USD. Undefined if the provider cannot serve it.
   */
  price?: number | undefined;
  measured?: Measured | undefined;
  weight?: number | undefined;
}

/** With fewer answers than this, a provider is tried first, so that it gets measured. */
export const leastAnswers = 5;

/**
 * `random` returns a number from 0 to 1. Equal candidates keep the fixed order; so do those by
 * quality, whose order depends on the caller and is made in search.
 */
export function routeCandidates<T extends Candidate>(
  kind: Routing,
  candidates: readonly T[],
  random: () => number,
): T[] {
  switch (kind) {
    case 'order':
    case 'quality':
      return [...candidates];
    case 'cheapest':
      return inOrderOf(candidates, ({ price }) => price ?? Infinity);
    case 'fastest':
      return inOrderOf(candidates, ({ measured }) => (isMeasured(measured) ? measured.p50_ms : -1));
    case 'weighted':
      // With exponential waiting times, each candidate comes first with a probability in proportion
      // to its weight.
      return inOrderOf(candidates, ({ weight = 0 }) =>
        weight > 0 ? -Math.log(1 - random()) / weight : Infinity,
      );
  }
}

export function isMeasured(measured: Measured | undefined): measured is Measured {
  return measured !== undefined && measured.answers >= leastAnswers;
}

function inOrderOf<T>(candidates: readonly T[], rankOf: (candidate: T) => number): T[] {
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate) }));
  // Infinity minus Infinity is not a number.
  const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);
  return ranked
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({ candidate }) => candidate);
}
