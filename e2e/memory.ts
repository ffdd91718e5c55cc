// Measures the memory of a gateway while a test attacks it; only on systems with /proc.
import { writeFile } from 'node:fs/promises';
import type { GatewayProcess } from './harness.ts';

export const mib = 1024 * 1024;
/** What the deployment files give a gateway. */
export const memoryLimit = 512 * mib;

/** The peak of its resident memory during the work, and what the work returned. */
export async function peakDuring<T>(
  gateway: Pick<GatewayProcess, 'pid' | 'peakMemoryBytes'>,
  work: () => Promise<T>,
): Promise<{ peak: number; value: T }> {
  // Forgets the peak so far.
  await writeFile(`/proc/${gateway.pid()}/clear_refs`, '5');
  const value = await work();
  return { peak: await gateway.peakMemoryBytes(), value };
}

export function count(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
