// How the request log grows and ends: PostgreSQL has partitions, which are made ahead and dropped
// whole; SQLite deletes its rows in small steps.
import {
  type Database,
  dropPartitions,
  makePartitions,
  partitionLengthMs,
  tooLargeDefault,
} from '../store/index.ts';
import { deleteOldRequests } from './store/requests.ts';

const table = 'requests';

/** Before the gateway serves and then again and again, so that each row has its partition. */
export async function makeLogPartitions(
  database: Database,
  now: number,
  keptMs: number,
): Promise<void> {
  if (database.engine === 'sqlite') return;
  await makePartitions(database, table, { now, lengthMs: partitionLengthMs(keptMs) });
}

/** In megabytes; undefined while partitions of the log can be made. */
export async function tooLargeRest(
  database: Database,
  maxBytes?: number,
): Promise<number | undefined> {
  if (database.engine === 'sqlite') return undefined;
  const bytes = await tooLargeDefault(database, table, maxBytes);
  return bytes === undefined ? undefined : Math.round(bytes / 1024 / 1024);
}

/** A step of deleting what is no longer kept. Returns how many rows it deleted one by one. */
export async function endOldLog(
  database: Database,
  oldest: number,
  keptMs: number,
  limit: number,
): Promise<number> {
  if (database.engine === 'postgres') await dropPartitions(database, table, oldest);
  return deleteOldRequests(database, { oldest, lengthMs: partitionLengthMs(keptMs) }, limit);
}
