// Sweeps what time has closed: holds nobody came back for, old idempotency keys, old log rows.
import { deleteExpiredClaims, deleteRunningClaims } from '../store/idempotency.ts';
import { deleteOldMinutes } from '../store/key-minutes.ts';
import { findDueHolds } from '../store/ledger.ts';
import { hourOf } from '../domain/ledger/book.ts';
import { minuteOf } from '../domain/ledger/pace.ts';
import { deleteOldHours, deleteOldRequests } from '../store/requests.ts';
import type { House } from './house.ts';
import { foldUsage } from './write-requests.ts';

const every_ms = 5000;
const max_rows = 500;
const day_ms = 24 * 60 * 60 * 1000;
/** The dashboard shows the last day by the hour. */
const hours_kept = 48;
/** A gateway whose clock is behind still counts on with the others. */
const minutes_kept = 10;

/** Runs until it is stopped; any gateway may sweep for all. */
export function startSweeping(house: House): { stop: () => void } {
  const sweeping = setInterval(() => {
    sweep(house).catch((error: unknown) => {
      house.log.warn({ err: error }, 'sweeping failed; the next round tries again');
    });
  }, every_ms);
  return { stop: () => clearInterval(sweeping) };
}

export async function sweep(house: House): Promise<void> {
  const { database, clock, settings } = house;
  const now = clock.now().getTime();
  house.ledger.expire(now);
  await releaseDueHolds(house, now);
  await deleteExpiredClaims(database, now, max_rows);
  await deleteOldRequests(database, now - settings.request_log_days * day_ms, max_rows);
  await deleteOldHours(database, hourOf(now) - hours_kept);
  await foldUsage(database, hourOf(now) - hours_kept, max_rows);
  if (settings.key_requests_per_minute !== undefined) {
    await deleteOldMinutes(database, minuteOf(now) - minutes_kept);
  }
}

/** A store that belongs to one process: at its start no request can be under way. */
export async function sweepAtStart(house: House): Promise<void> {
  while ((await releaseDueHolds(house, Number.MAX_SAFE_INTEGER)) === max_rows);
  await deleteRunningClaims(house.database);
}

async function releaseDueHolds({ database, ledger }: House, due_at: number): Promise<number> {
  const due = await findDueHolds(database, due_at, max_rows);
  await Promise.all(
    due.map(({ id, account_id }) => ledger.release({ id, account_id, only_if_due_at: due_at })),
  );
  return due.length;
}
