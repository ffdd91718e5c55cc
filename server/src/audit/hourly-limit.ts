// Limits how often the people of an account may perform actions that write rows each time. The
// audit log provides the count.
import { hourMs } from '@trivium/contract/durations';
import { GatewayError } from '@trivium/contract';
import { countEntries } from './store/audit-log.ts';
import type { Runner } from '../store/index.ts';

/** Per hour, for all endpoints of an account together. */
const maxInAnHour = { 'webhook.tested': 200, 'webhook.redelivered': 2000 } as const;

/**
 * Throws above the limit. Endpoints of the gateway itself belong to its operators and are not
 * limited.
 */
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
