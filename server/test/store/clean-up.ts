// A round of retention on a store, with the settings that a gateway has by default.
import { deleteExpired } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';

const usual = {
  ...{ request_log_days: 90, cache_keep_hours: 1 },
  ...{ webhook_log_days: 30, audit_log_days: 365 },
};

export function cleanUp(
  database: Database,
  settings: Partial<typeof usual> = {},
  now = Date.now(),
): Promise<void> {
  const clock = { ...systemClock, now: () => new Date(now) };
  const log = makeLog('silent');
  return deleteExpired({ database, clock, log, settings: { ...usual, ...settings } });
}
