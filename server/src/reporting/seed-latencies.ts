// Latencies that earlier processes and other gateways measured, for a gateway that starts with
// routing by latency.
import { dayMs } from '@trivium/contract/durations';
import type { ToolName } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import type { ReadableDatabase } from '../store/index.ts';
import type { Latencies } from '../upstream/core/index.ts';
import { listAnswerTimes } from '../requests/index.ts';
import { listJobTimes } from '../transcription/index.ts';

const sampleSize = 2000;

export async function seedLatencies(
  { database, clock }: { database: ReadableDatabase; clock: Clock },
  latencies: Latencies,
  tools: readonly ToolName[],
): Promise<void> {
  const since = clock.now().getTime() - dayMs;
  for (const tool of tools) {
    const times =
      tool === 'transcription'
        ? await listJobTimes(database.reader, since, sampleSize)
        : await listAnswerTimes(database.reader, { tool, since }, sampleSize);
    // Oldest first, in the order in which they were measured.
    for (const { provider, latency_ms, at } of times.toReversed()) {
      latencies.note(tool, provider, latency_ms, at);
    }
  }
}
