// Releases abandoned holds. retention.ts deletes expired rows.
import { deleteRunningClaims } from '../requests/index.ts';
import { type Ledger, releaseDueHolds } from '../billing/index.ts';
import type { Clock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../store/index.ts';

export interface SweepContext {
  database: Database;
  clock: Clock;
  log: Log;
  ledger: Pick<Ledger, 'expire' | 'release'>;
}

const everyMs = 5000;
const maxRows = 500;

/** Runs until it is stopped. Several gateways on one store may sweep at the same time. */
export function startSweeping(context: SweepContext): Repeated {
  return every(everyMs, {
    name: 'due_holds',
    work: () => sweep(context),
    onError: (error) =>
      context.log.warn({ err: error }, 'sweeping failed; the next round tries again'),
  });
}

export async function sweep(context: SweepContext): Promise<void> {
  const now = context.clock.now().getTime();
  context.ledger.expire(now);
  await releaseDueHolds(context, now, maxRows);
}

/** Only for a store that belongs to one process: when it starts, no request can be in progress. */
export async function sweepAtStart(context: SweepContext): Promise<void> {
  while ((await releaseDueHolds(context, Number.MAX_SAFE_INTEGER, maxRows)) === maxRows);
  await deleteRunningClaims(context.database);
}
