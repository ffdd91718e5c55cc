// Detects a store that is older than what a gateway with this data directory last saw: it was
// restored, lost its write-ahead log, or took over without the latest commits. A counter in the
// store is compared with the value recorded in a file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ageFileIn } from './sqlite/data-dir.ts';
import { every } from '../platform/every.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { privateMode } from '../platform/machine.ts';
import { StartError } from '../platform/start-error.ts';
import type { Database, Runner } from './database.ts';
import { facts } from './facts.ts';
import { query } from './table.ts';

const ageFact = 'age';
/** On PostgreSQL, each gateway increments the counter. */
const everySharedMs = 10_000;
/** The counter of the embedded store is incremented only after a write. */
const everyOwnMs = 1000;

/**
 * `name` distinguishes the databases that gateways with this directory have used. Throws if an
 * embedded store is older: no standby can have taken over, so payments are missing. `ended` resolves
 * after a stop, once the store is no longer read.
 */
export async function watchStoreAge(
  { database, name }: { database: Runner & Pick<Database, 'engine'>; name: string },
  dataDir: string,
  log: Log,
) {
  const isOwn = database.engine === 'sqlite';
  const folder = resolve(dataDir);
  const file = isOwn ? ageFileIn(folder) : join(folder, `seen-${sha256Hex(name).slice(0, 16)}`);
  const seen = readSeen(file);
  // A refused start must not count, or the store would look new enough after a few of them.
  const isOlder = Number((await facts.find(database, ageFact)) ?? 0) < (seen ?? 0);
  const warning = isOlder
    ? `${name} is older than what a gateway here last saw: it was restored, its write-ahead ` +
      'log is missing, or a standby took over without the latest commits. Charges and jobs ' +
      'from that period are lost, and the audit cannot detect it.'
    : undefined;
  if (warning !== undefined && isOwn) {
    throw new StartError(
      `${warning} Restore the missing files or a newer backup (trivium restore <folder>). To ` +
        `accept the loss and start with this store, delete ${file}.`,
    );
  }
  if (warning !== undefined) log.error({ store: name }, warning);
  const note = (counted: number) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, String(counted), { mode: privateMode });
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, "the store's age could not be recorded");
  try {
    note(await facts.increment(database, ageFact));
  } catch (error) {
    onError(error);
    return { warning, stop: () => undefined };
  }
  let changes = isOwn ? await countChanges(database) : 0;
  const count = async () => {
    if (isOwn && (await countChanges(database)) === changes) return;
    note(await facts.increment(database, ageFact));
    if (isOwn) changes = await countChanges(database);
  };
  const task = { name: 'store_age', work: count, onError };
  const { stop, ended } = every(isOwn ? everyOwnMs : everySharedMs, task);
  return { warning, stop, ended };
}

/** How many rows this connection has changed. SQLite answers this without a read. */
function countChanges(on: Runner): Promise<number> {
  return query.number(on, 'select total_changes()');
}

function readSeen(file: string): number | undefined {
  try {
    const seen = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(seen) && seen > 0 ? seen : undefined;
  } catch {
    return undefined;
  }
}
