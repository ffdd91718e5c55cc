// Backup and restore of the SQLite store. A backup is a copy made while the gateway runs, together
// with its secret.
import { Database as Sqlite } from 'bun:sqlite';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ageFileIn, secretFileIn, storeFileIn } from './data-dir.ts';
import { StartError, describeFailure } from '../../platform/start-error.ts';
import { keepPrivate } from '../../platform/machine.ts';
import { taskOf } from '../deferred.ts';
import {
  journalFact,
  journalFileOf,
  type Position,
  positionOf,
  readJournal,
} from './journal-file.ts';

/** Makes a consistent copy while the gateway writes, and returns the path of the copied file. */
export function copyStore(dataDir: string, to: string): string {
  const file = storeFileIn(dataDir);
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  const folder = resolve(to);
  const copy = storeFileIn(folder);
  // A failed backup by an older version leaves an empty file.
  if (existsSync(copy) && statSync(copy).size > 0) {
    throw new StartError(`There is already a backup in ${folder}. Name another folder.`);
  }
  const partial = `${copy}.partial`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The copy is rebuilt from the rows, so it would look intact even if the source is damaged.
    checkFile(file);
    // Before the copy is made, because what is booked meanwhile is in the copy.
    const unbooked = readUnbooked(file);
    writeCopy(file, partial);
    keepUnbooked(partial, unbooked);
    checkFile(partial);
    copySecret(dataDir, folder);
    renameSync(partial, copy);
  } catch (error) {
    if (existsSync(partial)) rmSync(partial);
    throw inWords(error, `The backup into ${folder} failed. The store ${file}`);
  }
  return copy;
}

function writeCopy(file: string, partial: string): void {
  rmSync(partial, { force: true });
  // Created empty with mode 0600, so no other user can read the copy while it is written.
  keepPrivate(partial);
  const sqlite = new Sqlite(file, { readwrite: true });
  try {
    sqlite.run('pragma busy_timeout = 5000');
    // Lets the copy of an older version's store return free space, too.
    sqlite.run('pragma auto_vacuum = incremental');
    sqlite.run('vacuum into ?', [partial]);
  } finally {
    sqlite.close();
  }
}

/**
 * What is in the journal of a store and not in its tables. A running gateway may book records meanwhile,
 * and use their places again.
 */
export function readUnbooked(file: string): UnbookedTask[] {
  for (let attempt = 1; ; attempt += 1) {
    const booked = readPosition(file);
    if (booked === undefined) return [];
    try {
      return readJournal(journalFileOf(file), booked).map((record) => {
        return { ...taskOf(record), position: record.position };
      });
    } catch (error) {
      if (attempt === maxReads) throw error;
    }
  }
}

const maxReads = 5;

interface UnbookedTask {
  task: string;
  input: string;
  position: Position;
}

function readPosition(file: string): Position | undefined {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return positionOf(findFact(sqlite));
  } finally {
    sqlite.close();
  }
}

function findFact(sqlite: Sqlite): string | undefined {
  const found = sqlite.query('select value from store_facts where name = ?').get(journalFact);
  return (found as { value: string } | null)?.value;
}

/** The copy has no journal: what it has not booked goes into its table, and the next start books it. */
export function keepUnbooked(copy: string, tasks: readonly UnbookedTask[]): void {
  const sqlite = new Sqlite(copy, { readwrite: true });
  try {
    const booked = positionOf(findFact(sqlite));
    // With another salt, a gateway that started meanwhile has booked all of them.
    const left = tasks.filter(
      ({ position: { salt, seq } }) => salt === booked?.salt && seq > booked.seq,
    );
    const add = sqlite.query('insert into deferred (task, input, created_at) values (?, ?, ?)');
    for (const { task, input } of left) add.run(task, input, Date.now());
    sqlite.query('delete from store_facts where name = ?').run(journalFact);
  } finally {
    sqlite.close();
  }
}

/**
 * Restores a backup into an empty data directory, which the caller has locked. `change` may write
 * to the new file before a gateway can find it, and closes it.
 */
export async function restoreStore(
  backup: string,
  dataDir: string,
  change: (file: string) => Promise<void>,
): Promise<void> {
  const target = storeFileIn(dataDir);
  if (existsSync(target) && statSync(target).size > 0) {
    throw new StartError(
      `There is already a store at ${target}, and a restore does not overwrite one. ` +
        'Move it away, or set TRIVIUM_DATA_DIR to an empty directory.',
    );
  }
  const partial = `${target}.restoring`;
  rmSync(partial, { force: true });
  copyFileSync(storeFileIn(backup), partial);
  keepPrivate(partial);
  await change(partial);
  copySecret(backup, dataDir);
  setAsideLog(target);
  // A backup is older than the lost store, and here the operator wants that.
  rmSync(ageFileIn(dataDir), { force: true });
  renameSync(partial, target);
}

/** SQLite would apply the write-ahead log of a lost store to the restored one. Its journal may be wanted. */
function setAsideLog(target: string): void {
  rmSync(`${target}-shm`, { force: true });
  for (const left of [`${target}-wal`, journalFileOf(target)]) {
    if (existsSync(left)) renameSync(left, `${left}.old`);
  }
}

/** Throws if SQLite's integrity check fails. */
export function checkStoreFile(folder: string): string {
  const file = storeFileIn(folder);
  if (!existsSync(file)) throw new StartError(`There is no backup in ${resolve(folder)}.`);
  try {
    checkFile(file);
  } catch (error) {
    const words = `${file} is damaged, so nothing was restored. Use another backup.`;
    throw describeFailure(error) === undefined ? error : new StartError(words);
  }
  return file;
}

function checkFile(file: string): void {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const result = sqlite.query('pragma integrity_check').get() as Record<string, unknown>;
    const [verdict] = Object.values(result);
    if (verdict !== 'ok') throw new StartError(`${file} is damaged: ${String(verdict)}.`);
  } finally {
    sqlite.close();
  }
}

/** Errors of the file system already contain the path. */
function inWords(error: unknown, subject: string): unknown {
  const words = describeFailure(error, subject);
  if (words !== undefined) return new StartError(words);
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new StartError(`The backup failed: ${message}.`);
}

function copySecret(from: string, to: string): void {
  const secret = secretFileIn(from);
  if (!existsSync(secret)) return;
  const copy = secretFileIn(to);
  copyFileSync(secret, copy);
  keepPrivate(copy);
}
