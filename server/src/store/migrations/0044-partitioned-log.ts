// On PostgreSQL the request log becomes a table of partitions by time, and the existing table the
// first of them. On SQLite nothing changes.
import { dayMs } from '@trivium/contract/durations';
import type { MigrationPart } from '../migration-steps.ts';
import { partitionParts } from '../partitions.ts';

/**
 * Between its first and its last part the log takes no request of this many days ahead. So a
 * deployment that goes back to its old version in between has that long to try again.
 */
const daysAhead = 8;

export function partitionLog(now: Date, isNew: boolean): MigrationPart[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return partitionParts('requests', isNew ? today : today + daysAhead * dayMs, isNew);
}
