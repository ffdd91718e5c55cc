// What the commands of an operator share: how a program ends, and the store of a gateway that may be
// running, opened for reading.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeFailure, StartError } from '../../platform/start-error.ts';
import { providers } from '../../providers/index.ts';
import {
  type Environment,
  nameOfDatabase,
  readSettings,
  type Settings,
} from '../../settings/index.ts';
import type { Database } from '../../store/index.ts';
import {
  connectPostgres,
  findDataDir,
  openSqliteReadOnly,
  readUnbooked,
  storeFileIn,
} from '../../store/opening.ts';
import { storeThread } from '../store-thread-url.ts';

/** `work` returns the exit code. An error that a person can act on is printed without a stack. */
export async function runProgram(
  env: Environment,
  work: (words: readonly string[], settings: Settings) => Promise<number>,
): Promise<never> {
  try {
    const settings = readSettings(env, Object.values(providers));
    process.exit(await work(process.argv.slice(2), settings));
  } catch (error) {
    const explained = describeFailure(error);
    if (explained === undefined) throw error;
    process.stderr.write(`${explained}\n`);
    process.exit(1);
  }
}

interface ReadStore {
  name: string;
  database: Database;
  /** The folder of an embedded store. */
  dataDir?: string;
  /** What is in its journal and not yet in its tables. */
  readJournal?: () => { task: string; input: string }[];
}

export async function openForReading(settings: Settings): Promise<ReadStore> {
  const { database_url } = settings;
  if (database_url !== undefined) {
    return { name: nameOfDatabase(database_url), database: await connectPostgres(database_url) };
  }
  const file = storeFileIn(findDataDir(settings));
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  const database = await openSqliteReadOnly(file, storeThread);
  const readJournal = () => readUnbooked(file);
  return { name: `SQLite in ${file}`, database, dataDir: dirname(file), readJournal };
}
