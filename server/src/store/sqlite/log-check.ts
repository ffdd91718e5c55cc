// Checks that SQLite's write-ahead log still holds what was committed. SQLite would not notice that
// another program truncated or overwrote it: commits succeed, and the next start loses them.
import { type OpenFile, machine } from '../../platform/machine.ts';
import { storeError } from '../../platform/store-trouble.ts';

/** The format is documented at https://www.sqlite.org/walformat.html. */
const indexHeadBytes = 48;
const indexFormat = 3_007_000;
const logHeadBytes = 32;
const frameHeadBytes = 24;
const maxPageBytes = 65_536;

/** What the index of the log says about its end. The buffers are as in the file. */
interface LogEnd {
  frames: number;
  pageBytes: number;
  salts: Buffer;
  checksums: [number, number];
}

export type LogCheck = ReturnType<typeof makeLogCheck>;

export function makeLogCheck(file: string) {
  let files: { index: OpenFile; log: OpenFile } | undefined;
  const indexHead = Buffer.alloc(indexHeadBytes);
  const again = Buffer.alloc(indexHeadBytes);
  const soundHead = Buffer.alloc(indexHeadBytes);
  const logHead = Buffer.alloc(logHeadBytes);
  const frameHead = Buffer.alloc(frameHeadBytes);
  const knownHead = Buffer.alloc(logHeadBytes);
  let last: LogEnd | undefined;

  /** A shorter log does not contain the frame, and one that was extended contains zeros. */
  const hasEnd = ({ frames, pageBytes, salts, checksums }: LogEnd): boolean => {
    const at = logHeadBytes + (frames - 1) * (frameHeadBytes + pageBytes);
    return (
      files?.log.read(frameHead, at) === frameHeadBytes &&
      frameHead.compare(salts, 0, 8, 8, 16) === 0 &&
      frameHead.readUInt32BE(16) === checksums[0] &&
      frameHead.readUInt32BE(20) === checksums[1]
    );
  };
  const isSound = (end: LogEnd): boolean => {
    if (files?.log.read(logHead, 0) !== logHeadBytes) return false;
    if (logHead.compare(end.salts, 0, 8, 16, 24) !== 0) return false;
    if (last === undefined || last.frames === 0 || !last.salts.equals(end.salts)) {
      // A new log: everything in the one before it is in the database.
      logHead.copy(knownHead);
      return hasEnd(end);
    }
    return logHead.equals(knownHead) && hasEnd(last) && hasEnd(end);
  };
  return {
    /** Call it before a commit is acknowledged. The error has the code of a damaged store. */
    findDamage: (): Error | undefined => {
      files ??= openBoth(file);
      if (files === undefined) return undefined;
      for (;;) {
        if (files.index.read(indexHead, 0) !== indexHeadBytes) return damaged();
        // It counts commits: everything acknowledged so far was checked.
        if (indexHead.equals(soundHead)) return undefined;
        const end = readEnd(indexHead);
        if (end === undefined) return undefined;
        if (end.frames === 0 || isSound(end)) {
          last = end;
          indexHead.copy(soundHead);
          return undefined;
        }
        // Another process may have completed a checkpoint in between.
        files.index.read(again, 0);
        if (again.equals(indexHead)) return damaged();
      }
    },
    frames: () => last?.frames ?? 0,
    close: () => {
      files?.index.close();
      files?.log.close();
    },
  };
}

/** Undefined while SQLite has not created them. */
function openBoth(file: string): { index: OpenFile; log: OpenFile } | undefined {
  const index = machine.openToRead(`${file}-shm`);
  const log = index && machine.openToRead(`${file}-wal`);
  return index && log ? { index, log } : undefined;
}

/** Undefined if this machine or a later SQLite has another format. */
function readEnd(head: Buffer): LogEnd | undefined {
  if (head.readUInt32LE(0) !== indexFormat) return undefined;
  const pageBytes = head.readUInt16LE(14);
  return {
    frames: head.readUInt32LE(16),
    pageBytes: pageBytes === 1 ? maxPageBytes : pageBytes,
    salts: Buffer.from(head.subarray(32, 40)),
    checksums: [head.readUInt32LE(24), head.readUInt32LE(28)],
  };
}

function damaged(): Error {
  const message = 'its write-ahead log was truncated or overwritten by another program';
  return storeError('SQLITE_CORRUPT', message);
}
