// Measures the memory of a gateway while a test attacks it; only on systems with /proc.
import { writeFile } from 'node:fs/promises';
import { Account, NewKey } from '@trivium/contract';
import type { GatewayProcess } from './harness.ts';
import { operatorToken } from './webhook-admin.ts';

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

export const asOperator = { authorization: `Bearer ${operatorToken}` };

/** A new account with a key: its id, and the headers of its requests. */
export async function makeAccount(
  gateway: Pick<GatewayProcess, 'post'>,
  { balanceUsd = 1, policy = {}, keyPolicy = {} } = {},
): Promise<{ id: string; headers: { authorization: string } }> {
  const ask = async (path: string, body: object) =>
    (await gateway.post(`/admin/v1/accounts${path}`, body, asOperator)).body;
  const { id } = Account.parse(await ask('', { name: 'Another', ...policy }));
  if (balanceUsd > 0) await ask(`/${id}/topups`, { amount_usd: balanceUsd, reason: 'test' });
  const { key } = NewKey.parse(await ask(`/${id}/keys`, { name: 'k', ...keyPolicy }));
  return { id, headers: { authorization: `Bearer ${key}` } };
}
