// Manages the size of the request log. On PostgreSQL it has partitions, which are created ahead of
// time and dropped whole; on SQLite old rows are deleted in small steps.
import { type Database, deleteOldRows, makePartitions, tooLargeDefault } from '../store/index.ts';

const table = 'requests';

/**
 * Runs before the gateway starts to serve, and then periodically, so that each row has its
 * partition.
 */
export async function makeLogPartitions(
  database: Database,
  now: number,
  keptMs: number,
): Promise<void> {
  if (database.engine === 'sqlite') return;
  await makePartitions(database, table, { now, keptMs });
}

/** In megabytes. Undefined while partitions of the log can be created. */
export async function tooLargeRest(
  database: Database,
  maxBytes?: number,
): Promise<number | undefined> {
  if (database.engine === 'sqlite') return undefined;
  const bytes = await tooLargeDefault(database, table, maxBytes);
  return bytes === undefined ? undefined : Math.round(bytes / 1024 / 1024);
}

/** One step of deleting what is no longer kept. Returns how many rows it deleted one by one. */
export function endOldLog(
  database: Database,
  at: { now: number; keptMs: number },
  limit: number,
): Promise<number> {
  return deleteOldRows(database, table, at, limit);
}
