// On PostgreSQL, the request log becomes a table partitioned by time, and the existing table
// becomes its first partition. On SQLite, nothing changes.
import { dayMs } from '@trivium/contract/durations';
import type { MigrationPart } from './migration-steps.ts';
import { partitionParts } from '../postgres/partitions.ts';

/**
 * Between its first and its last part, the migration blocks log rows dated more than this many days
 * ahead. A deployment that returns to its old version in between has that long to try again.
 */
const daysAhead = 8;

export function partitionLog(now: Date, isNew: boolean): MigrationPart[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return partitionParts('requests', isNew ? today : today + daysAhead * dayMs, isNew);
}
