// How often people of an account may do what writes rows each time: the audit log is the count.
import { hourMs } from '@trivium/contract/durations';
import { GatewayError } from '@trivium/contract';
import { countEntries } from './store/audit-log.ts';
import type { Runner } from '../store/index.ts';

/** Of all endpoints of an account, in an hour. */
const maxInAnHour = { 'webhook.tested': 200, 'webhook.redelivered': 2000 } as const;

/** Throws above the limit. The endpoints of the gateway itself belong to its operators. */
export async function checkHourly(
  tx: Runner,
  action: keyof typeof maxInAnHour,
  accountId: string | null,
  now: number,
): Promise<void> {
  if (accountId === null) return;
  const max = maxInAnHour[action];
  const named = { account_id: accountId, action, from: now - hourMs };
  if ((await countEntries(tx, named, max)) < max) return;
  throw new GatewayError(
    'rate_limited',
    `An account can do this ${max} times an hour. Try again later.`,
    undefined,
    { headers: { 'retry-after': '600' } },
  );
}
