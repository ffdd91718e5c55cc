// The disk of a gateway alone: the files of its store, what it says to a statement, and what is left
// of them after a kill or a power loss.
import { Database as Sqlite, type Statement } from 'bun:sqlite';
import { cpSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../../src/store/database.ts';
import { positionOf } from '../../../src/store/sqlite/journal-file.ts';
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
  'beforeStatement' | 'afterCommit' | 'onJournal' | 'beforeClose'
> {
  /** Through one connection for all, which ends before one of the gateway's. */
  read: StoreReader['read'];
  /** True for a text in a record that is on disk and not booked. */
  isJournaled: (text: string) => boolean;
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
const recordHeadBytes = 24;
/** A new file is written as a whole. */
const mostRecordBytes = 1024 * 1024;

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
  let journaled: { salt: number; seq: number; text: string }[] = [];
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
  const read: StoreReader['read'] = (text, values) => (reader ??= openReader()).read(text, values);
  const beforeClose = () => {
    reader?.[Symbol.dispose]();
    reader = undefined;
  };
  return {
    openReader,
    read,
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
    isJournaled: (text) => {
      const [fact] = read("select value from store_facts where name = 'journal'") ?? [];
      const booked = positionOf(fact?.['value'] as string | undefined);
      if (booked === undefined) return false;
      journaled = journaled.filter(({ salt, seq }) => salt === booked.salt && seq > booked.seq);
      return journaled.some((record) => record.text.includes(text));
    },
    onJournal: (when, written) => {
      const record = Buffer.from(written);
      const isRecord = record.length > recordHeadBytes && record.length < mostRecordBytes;
      if (when === 'after' && isRecord && !record.toString().startsWith('trivium')) {
        const [salt, seq] = [record.readUInt32LE(0), record.readDoubleLE(8)];
        journaled.push({ salt, seq, text: record.toString('utf8', recordHeadBytes) });
      }
      return commits.work?.({ when, statements: 'journal' }) === true;
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
