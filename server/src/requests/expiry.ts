// What expires of requests: the log, its details, and sums of usage. On PostgreSQL the log has
// partitions, which are created ahead of time and dropped whole.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { logKeptMs } from '../settings/index.ts';
import { type Expiring, expiring, partitioned } from '../store/index.ts';
import { hourOf } from './core/days.ts';
import { deleteExpiredClaims } from './store/idempotency.ts';
import { expiredAnswers, expiredTexts } from './store/stored-texts.ts';
import { expiredHours } from './store/usage.ts';
import { expiredMinutes } from './store/rate-limits.ts';
import { forgetAsked } from './store/requests.ts';
import { foldUsage } from './write-requests.ts';

/** The dashboard shows the last day by hour. */
const hoursKept = 48;
const maxFoldedRows = 500;

export const logPartitions = partitioned('requests');

export const requestExpiry: readonly Expiring[] = [
  {
    kind: 'claims',
    keptMs: dayMs,
    step: (database, { now }, limit) => deleteExpiredClaims(database, now, limit),
  },
  expiredAnswers,
  { kind: 'request_log', keptMs: logKeptMs, step: logPartitions.deleteOld },
  // An account may have its queries kept for an hour.
  { kind: 'queries', keptMs: hourMs, step: forgetAsked },
  expiredHours,
  expiredTexts,
  expiring({ keptMs: logKeptMs, table: 'request_notes', key: 'id', since: 'requested_at' }),
  {
    kind: 'usage',
    keptMs: dayMs,
    step: (database, { now }, limit) => foldUsage(database, hourOf(now) - hoursKept, limit),
    rows: maxFoldedRows,
  },
  expiredMinutes,
];
