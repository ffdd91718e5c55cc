// Deletes what has expired: abandoned holds, old idempotency keys, old rows of the request log.
import { deleteExpiredClaims, deleteRunningClaims } from '../billing/store/idempotency.ts';
import { deleteOldMinutes } from '../billing/store/rate-limits.ts';
import { findDueHolds } from '../billing/store/ledger.ts';
import { hourOf } from '../billing/core/book.ts';
import { minuteOf } from '../billing/core/rate-limit.ts';
import { deleteOldRequests } from '../billing/store/requests.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { Database } from '../store/database.ts';
import { foldUsage } from '../billing/write-requests.ts';

export interface SweepContext {
  database: Database;
  clock: Clock;
  log: Log;
  ledger: Pick<Ledger, 'expire' | 'release'>;
  settings: Pick<Settings, 'request_log_days' | 'key_requests_per_minute'>;
}

const everyMs = 5000;
const maxRows = 500;
const dayMs = 24 * 60 * 60 * 1000;
/** The dashboard shows the last day by hour. */
const hoursKept = 48;
/** Tolerates gateways whose clocks run behind. */
const minutesKept = 10;

/** Runs until it is stopped. Several gateways on one store may sweep at the same time. */
export function startSweeping(context: SweepContext): { stop: () => void } {
  const sweeping = setInterval(() => {
    sweep(context).catch((error: unknown) => {
      context.log.warn({ err: error }, 'sweeping failed; the next round tries again');
    });
  }, everyMs);
  return { stop: () => clearInterval(sweeping) };
}

export async function sweep(context: SweepContext): Promise<void> {
  const { database, clock, settings } = context;
  const now = clock.now().getTime();
  context.ledger.expire(now);
  await releaseDueHolds(context, now);
  await deleteExpiredClaims(database, now, maxRows);
  await deleteOldRequests(database, now - settings.request_log_days * dayMs, maxRows);
  await foldUsage(database, hourOf(now) - hoursKept, maxRows);
  if (settings.key_requests_per_minute !== undefined) {
    await deleteOldMinutes(database, minuteOf(now) - minutesKept);
  }
}

/** Only for a store that belongs to one process: at its start no request can be in progress. */
export async function sweepAtStart(context: SweepContext): Promise<void> {
  while ((await releaseDueHolds(context, Number.MAX_SAFE_INTEGER)) === maxRows);
  await deleteRunningClaims(context.database);
}

async function releaseDueHolds({ database, ledger }: SweepContext, dueAt: number): Promise<number> {
  const due = await findDueHolds(database, dueAt, maxRows);
  await Promise.all(
    due.map(({ id, account_id }) => ledger.release({ id, account_id, only_if_due_at: dueAt })),
  );
  return due.length;
}
