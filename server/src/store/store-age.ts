// Notices a PostgreSQL that is older than what a gateway with this data directory last saw: one
// that was restored, or took over without the latest commits. A counter in the store is compared
// with the value noted in a file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sha256Hex } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { privateMode } from '../platform/private-file.ts';
import type { Database, Runner } from './database.ts';

interface StoreAge {
  /** A sentence for the operator; undefined when the store is as new as it was. */
  warning: string | undefined;
  stop: () => void;
}

const everyMs = 10_000;

/** `name` tells stores apart that gateways with this directory have used. */
export async function watchStoreAge(
  database: Pick<Database, 'engine' | 'run' | 'lock'>,
  { dataDir, name }: { dataDir: string; name: string },
  log: Log,
): Promise<StoreAge> {
  if (database.engine === 'sqlite') return { warning: undefined, stop: () => undefined };
  const folder = resolve(dataDir);
  const file = join(folder, `seen-${sha256Hex(name).slice(0, 16)}`);
  const seen = readSeen(file);
  const age = await countUp(database);
  const warning = seen !== undefined && age <= seen ? olderStore(name, seen - age + 1) : undefined;
  if (warning !== undefined) log.error({ store: name }, warning);
  const note = (counted: number) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, String(counted), { mode: privateMode });
      return true;
    } catch (error) {
      log.warn(
        { err: error },
        'the data directory cannot be written: an older store goes unnoticed',
      );
      return false;
    }
  };
  if (!note(age)) return { warning, stop: () => undefined };
  const timer = setInterval(() => {
    countUp(database).then(note, (error: unknown) =>
      log.warn({ err: error }, "the store's age could not be noted"),
    );
  }, everyMs);
  return { warning, stop: () => clearInterval(timer) };
}

async function countUp(on: Pick<Runner, 'run'>): Promise<number> {
  const [row] = await on.run(
    `insert into store_facts (name, value) values ('age', '1') on conflict (name) do update
     set value = cast(cast(store_facts.value as bigint) + 1 as text) returning value`,
  );
  return Number(row?.['value']);
}

function readSeen(file: string): number | undefined {
  try {
    const seen = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(seen) && seen > 0 ? seen : undefined;
  } catch {
    return undefined;
  }
}

function olderStore(name: string, steps: number): string {
  return (
    `${name} is older than what a gateway here last saw, by about ${(steps * everyMs) / 1000} s ` +
    'of running: it was restored, or a standby took over without the latest commits. Charges and ' +
    'jobs of that time are lost, and the audit cannot see it.'
  );
}
