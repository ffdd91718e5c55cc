// How long the latest answers of each provider took, in memory. Old answers no longer count, so
// that a provider that was slow is tried again.
import { dayMs, hourMs } from '@trivium/contract/durations';
import type { ToolName } from '@trivium/contract';
import type { Measured } from './routing.ts';

export interface Latencies {
  /** Counts a provider's answer. `at` is in milliseconds, now by default. */
  note: (tool: ToolName, provider: string, latencyMs: number, at?: number) => void;
  /** Undefined without recent answers. */
  measured: (tool: ToolName, provider: string) => Measured | undefined;
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
  taken: { ms: number; at: number }[];
  /** Where the next one is written. */
  next: number;
  measured: Measured | undefined;
  measuredAt: number;
}

export function makeLatencies(nowMs: () => number): Latencies {
  const byProvider = new Map<string, Answers>();
  return {
    note: (tool, provider, latencyMs, at = nowMs()) => {
      const place = `${tool} ${provider}`;
      const none = { taken: [], next: 0, measured: undefined, measuredAt: -Infinity };
      const answers = byProvider.get(place) ?? none;
      byProvider.set(place, answers);
      answers.taken[answers.next] = { ms: latencyMs, at };
      answers.next = (answers.next + 1) % answersKept;
    },
    measured: (tool, provider) => {
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
