// The disk of a gateway alone: the files of its store, what it says to a statement, and what is left
// of them after a kill or a power loss.
import { Database as Sqlite } from 'bun:sqlite';
import type { Statement } from 'bun:sqlite';
import { cpSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../../src/store/database.ts';
import type { Random } from '../seeded-random.ts';
import type { Surroundings } from './machine.ts';
import type { Life } from './scheduler.ts';

/** How the disk behaves at the moment. */
export interface Disk {
  syncMs: number;
  isFull: boolean;
  /** The share of statements that find the file locked. */
  busyShare: number;
}

export interface StoreReader extends Disposable {
  read: (text: string, values?: readonly unknown[]) => Row[] | undefined;
}

/** The store of a gateway that has one of its own. */
export interface StoreFiles extends Pick<
  Surroundings,
  'beforeStatement' | 'afterCommit' | 'beforeClose'
> {
  /** Through one connection for all, which ends before one of the gateway's. */
  read: StoreReader['read'];
  /** For as long as nothing happens: a gateway that stops waits for no reader. */
  openReader: () => StoreReader;
  /** A process opens them, and has synced nothing yet. */
  opened: () => void;
  /** Ends the process; with a power loss, commits that were not synced are gone. */
  outlive: (end: () => void, isPowerLoss: boolean) => void;
}

/** A transaction of a gateway, with the statements that it has sent. */
export interface Commit {
  when: 'before' | 'after';
  statements: string;
  /** Of several gateways, the one that commits. */
  life?: Life;
}

/** Called at each commit; true before it if it must not happen, because its process is ending. */
export interface Commits {
  work: ((commit: Commit) => boolean) | undefined;
}

const storeName = 'trivium.sqlite';

export function makeStoreFiles(
  folder: string,
  disk: Disk,
  random: Random,
  happened: (kind: 'full_disk' | 'busy_disk') => void,
  commits: Commits,
): StoreFiles {
  const [store, kept] = [join(folder, storeName), join(folder, 'kept')];
  let [syncedBytes, statements] = [0, ''];
  let reader: StoreReader | undefined;
  const openReader = (): StoreReader => {
    const sqlite = new Sqlite(store, { readonly: true });
    const known = new Map<string, Statement>();
    return {
      read: (text, values = []) => {
        const found = known.get(text);
        const statement = found ?? sqlite.prepare(text.replaceAll(/\$(?=\d)/g, '?'));
        if (!found) known.set(text, statement);
        return statement.all(...(values as never[])) as Row[];
      },
      [Symbol.dispose]: () => sqlite.close(),
    };
  };
  const beforeClose = () => {
    reader?.[Symbol.dispose]();
    reader = undefined;
  };
  return {
    openReader,
    read: (text, values) => (reader ??= openReader()).read(text, values),
    beforeClose,
    beforeStatement: (text, isInTransaction) => {
      if (disk.isFull && isGrowing(text)) {
        happened('full_disk');
        throw sqliteError('SQLITE_FULL', 'database or disk is full');
      }
      // Who has begun to write has the lock.
      if (!isInTransaction && disk.busyShare > 0 && random() < disk.busyShare) {
        happened('busy_disk');
        throw sqliteError('SQLITE_BUSY', 'database is locked');
      }
      if (!isInTransaction || text.startsWith('begin')) statements = '';
      statements += `${text}\n`;
      const isCommit = text === 'commit' || (!isInTransaction && isGrowing(text));
      if (isCommit && commits.work?.({ when: 'before', statements }) === true) {
        throw sqliteError('SQLITE_IOERR', 'the process ends');
      }
    },
    afterCommit: (file, isSynced) => {
      commits.work?.({ when: 'after', statements });
      if (isSynced && file.endsWith(storeName)) syncedBytes = sizeOf(`${file}-wal`);
    },
    opened: () => {
      syncedBytes = 0;
    },
    outlive: (end, isPowerLoss) => {
      beforeClose();
      // To close a connection would tidy up the files; a killed process leaves them as they are.
      for (const ending of ['', '-wal']) {
        if (existsSync(store + ending)) cpSync(store + ending, kept + ending);
      }
      end();
      if (isPowerLoss && sizeOf(`${kept}-wal`) > syncedBytes) {
        truncateSync(`${kept}-wal`, syncedBytes);
      }
      // New files: the engine shares what it knows of a file between all of its connections to it.
      for (const ending of ['', '-wal']) {
        rmSync(store + ending, { force: true });
        if (existsSync(kept + ending)) renameSync(kept + ending, store + ending);
      }
      rmSync(`${store}-shm`, { force: true });
    },
  };
}

function isGrowing(text: string): boolean {
  return /^\s*(?:insert|update|create|commit)\b/i.test(text);
}

function sqliteError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
