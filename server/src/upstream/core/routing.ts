// The order in which `auto` tries the providers of one request, and how long the latest answers of
// each provider took, in memory. Old answers no longer count, so that a provider that was slow is
// tried again.
import { dayMs, hourMs } from '@trivium/contract/durations';
import type { ProviderId, Routing, ToolName } from '@trivium/contract';

/** The median latency of a provider, and how many answers it is based on. */
interface Measured {
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
  return (
    ranked
      // Infinity minus Infinity is not a number.
      .toSorted((one, other) => one.rank - other.rank || 0)
      .map(({ candidate }) => candidate)
  );
}

/** With more values than this, a median changes little. */
const answersKept = 101;
/** Longer for jobs, because there are fewer of them than searches. */
const maxAgeMs: Readonly<Record<ToolName, number>> = {
  search: hourMs,
  extract: hourMs,
  transcription: dayMs,
};
/** How long a median is used before it is computed again. */
const keptMs = 1000;

interface Answers {
  /** In the order in which they were noted. */
  taken: { ms: number; at: number }[];
  measured: Measured | undefined;
  measuredAt: number;
}

export type Latencies = ReturnType<typeof makeLatencies>;

export function makeLatencies(nowMs: () => number) {
  const byProvider = new Map<string, Answers>();
  return {
    /** Counts a provider's answer. `at` is in milliseconds, now by default. */
    note: (tool: ToolName, provider: string, latencyMs: number, at = nowMs()) => {
      const place = `${tool} ${provider}`;
      const none = { taken: [], measured: undefined, measuredAt: -Infinity };
      const answers: Answers = byProvider.get(place) ?? none;
      byProvider.set(place, answers);
      answers.taken.push({ ms: latencyMs, at });
      if (answers.taken.length > answersKept) answers.taken.shift();
    },
    /** Undefined without recent answers. */
    measured: (tool: ToolName, provider: string) => {
      const answers = byProvider.get(`${tool} ${provider}`);
      if (!answers) return undefined;
      const now = nowMs();
      if (now - answers.measuredAt < keptMs) return answers.measured;
      const recent = answers.taken.filter(({ at }) => now - at <= maxAgeMs[tool]);
      const sorted = recent.map(({ ms }) => ms).toSorted((one, other) => one - other);
      const middle = sorted[Math.ceil(sorted.length / 2) - 1];
      answers.measuredAt = now;
      answers.measured =
        middle === undefined ? undefined : { p50_ms: middle, answers: sorted.length };
      return answers.measured;
    },
  };
}
