// The journal of the embedded store: a file of a fixed size beside the database, written in place, one
// write and one sync for each batch of the ledger. The store's thread books its records in the order of
// their numbers, and stores the number of the last one in the same transaction. Their place is used again
// only after that.
import { happens } from '../../platform/fault-points.ts';
import { machine, type SyncedFile } from '../../platform/machine.ts';
import { storeError } from '../../platform/store-trouble.ts';

/** Up to where the journal is booked. */
export interface Position {
  /** Of this file: records of an earlier use of the same file have another one. */
  salt: number;
  /** The number of the last record that is booked. */
  seq: number;
  /** Where that record ends. */
  at: number;
}

export interface JournalRecord {
  text: string;
  position: Position;
}

export interface JournalFile {
  /** Resolves when the text is on disk. Rejects with `SQLITE_FULL` while there is no room for it. */
  append: (text: string) => Promise<JournalRecord>;
  /** Records up to this number are booked. */
  free: (seq: number) => void;
  /** All records are booked, and none follows. */
  empty: () => Promise<void>;
  close: () => void;
}

/** The fact that says up to where the journal is booked. Absent if everything is. */
export const journalFact = 'journal';

/** About a hundred requests, which are sent to the thread and booked together. */
export const groupChars = 64 * 1024;
const journalBytes = 4 * 1024 * 1024;
/** A longer text is not journaled. */
export const maxRecordChars = journalBytes / 16;
/** What the file is, and its version. The salt of its records follows, or 0 if all of them are booked. */
const magic = Buffer.from('trivium journal\n1\n'.padEnd(24, '\0'));
const startAt = 32;
/** Of a record: its salt, the length of its text, its number, and a checksum of all that and the text. */
const recordHeadBytes = 24;
const checkedHeadBytes = 16;
const noRecord = Buffer.alloc(recordHeadBytes);
/** Records start at multiples of this. */
const alignment = 8;

export function journalFileOf(store: string): string {
  return `${store}.journal`;
}

export function positionOf(fact: string | undefined): Position | undefined {
  const [salt = NaN, seq = NaN, at = NaN] = (fact ?? '').split(' ').map(Number);
  return [salt, seq, at].every(Number.isSafeInteger) ? { salt, seq, at } : undefined;
}

export function factOf({ salt, seq, at }: Position): string {
  return `${salt} ${seq} ${at}`;
}

/** Records that were acknowledged are neither in the file nor booked. */
export class LostJournal extends Error {
  readonly code = 'SQLITE_CORRUPT';
  constructor(readonly reason: string) {
    super(`its journal cannot be used: ${reason}`);
  }
}

/**
 * The records after the position, oldest first; all are booked if the store has no position. Throws if
 * one of them is lost, or returns those before it and tells why if that was accepted.
 */
export function readJournal(
  path: string,
  booked: Position | undefined,
  acceptLoss: (reason: string) => void = (reason) => {
    throw new LostJournal(reason);
  },
): JournalRecord[] {
  const lost = (reason: string, left: JournalRecord[] = []): JournalRecord[] => {
    acceptLoss(reason);
    return left;
  };
  const file = machine.openToRead(path);
  if (file === undefined) return booked ? lost('it is missing') : [];
  const bytes = Buffer.alloc(journalBytes);
  const size = file.read(bytes, 0);
  file.close();
  if (booked && size < journalBytes) return lost('it was truncated');
  if (!bytes.subarray(0, magic.length).equals(magic))
    return booked ? lost('it was overwritten') : [];
  const used = bytes.readUInt32LE(magic.length);
  if (used === 0) return [];
  if (booked === undefined) return lost('the store is older than its journal');
  if (used !== booked.salt) return lost('it belongs to another store');
  const records: JournalRecord[] = [];
  let { seq, at } = booked;
  for (;;) {
    const next = { salt: booked.salt, seq: seq + 1 };
    const found = recordAt(bytes, at, next) ?? recordAt(bytes, startAt, next);
    if (found === undefined) break;
    ({ seq, at } = found.position);
    records.push(found);
  }
  for (let from = startAt; from < journalBytes; from += alignment) {
    // A batch is written only after the one before it is on disk.
    const isLater =
      bytes.readUInt32LE(from) === booked.salt && bytes.readDoubleLE(from + 8) > seq + 1;
    if (isLater && recordAt(bytes, from)) return lost('a record is missing', records);
  }
  return records;
}

/** The record that begins here, if it is whole, and the expected one. */
function recordAt(
  bytes: Buffer,
  at: number,
  expected?: Pick<Position, 'salt' | 'seq'>,
): JournalRecord | undefined {
  if (at + recordHeadBytes > bytes.length) return undefined;
  const [salt, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
  const seq = bytes.readDoubleLE(at + 8);
  const from = at + recordHeadBytes;
  if (from + length > bytes.length) return undefined;
  if (expected && (salt !== expected.salt || seq !== expected.seq)) return undefined;
  if (bytes.readUInt32LE(at + 16) !== checksumOf(bytes, at, length)) return undefined;
  const text = bytes.toString('utf8', from, from + length);
  return { text, position: { salt, seq, at: endOf(at, length) } };
}

function checksumOf(bytes: Buffer, at: number, length: number): number {
  const head = Bun.hash.crc32(bytes.subarray(at, at + checkedHeadBytes));
  const from = at + recordHeadBytes;
  return Bun.hash.crc32(bytes.subarray(from, from + length), head);
}

function endOf(at: number, length: number): number {
  return Math.ceil((at + recordHeadBytes + length) / alignment) * alignment;
}

/**
 * In a new file, or in the file of an earlier use, whose records are all booked. `note` stores the
 * position before the first record. Wherever this is interrupted, nothing counts as lost.
 */
export async function startJournal(
  path: string,
  note: (start: Position) => Promise<void>,
): Promise<JournalFile> {
  const salt = machine.randomBytes(4).readUInt32LE(0) || 1;
  const start = { salt, seq: 0, at: startAt };
  try {
    const file = machine.openSynced(path);
    if (file.size() !== journalBytes) await file.write(Buffer.alloc(journalBytes), journalBytes, 0);
    await file.write(headOf(0), startAt, 0);
    await note(start);
    await file.write(headOf(salt), startAt, 0);
    return appendTo(file, start);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (String(code).startsWith('SQLITE_')) throw error;
    throw storeError(code === 'ENOSPC' ? 'SQLITE_FULL' : 'SQLITE_CANTOPEN', String(error));
  }
}

function headOf(salt: number): Buffer {
  const head = Buffer.alloc(startAt);
  magic.copy(head);
  head.writeUInt32LE(salt, magic.length);
  return head;
}

function appendTo(file: SyncedFile, { salt, ...from }: Position): JournalFile {
  let { seq, at: next } = from;
  let buffer = Buffer.alloc(64 * 1024);
  const lastHead = Buffer.alloc(recordHeadBytes);
  const readHead = Buffer.alloc(recordHeadBytes);
  let lastAt = -1;
  /** What is not booked, oldest first. */
  const unbooked: { seq: number; at: number }[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const placeFor = (bytes: number): number | undefined => {
    const oldest = unbooked[0]?.at;
    const isLast = next + bytes > journalBytes;
    if (oldest === undefined) return isLast ? startAt : next;
    if (oldest >= next) return !isLast && next + bytes <= oldest ? next : undefined;
    if (!isLast) return next;
    return startAt + bytes <= oldest ? startAt : undefined;
  };
  /** Another program may have truncated or overwritten the file. */
  const checkPrevious = () => {
    if (file.size() !== journalBytes) throw new LostJournal('it was truncated');
    if (lastAt < 0) return;
    const isThere = file.read(readHead, lastAt) === recordHeadBytes && readHead.equals(lastHead);
    if (!isThere) throw new LostJournal('it was overwritten');
  };
  const write = async (text: string): Promise<JournalRecord> => {
    const most = recordHeadBytes + 3 * text.length + alignment;
    if (most > buffer.length) buffer = Buffer.alloc(2 * most);
    const length = buffer.write(text, recordHeadBytes, 'utf8');
    const bytes = endOf(0, length);
    const at = placeFor(bytes);
    if (at === undefined) throw storeError('SQLITE_FULL', 'the journal is full');
    buffer.writeUInt32LE(salt, 0);
    buffer.writeUInt32LE(length, 4);
    buffer.writeDoubleLE(seq + 1, 8);
    buffer.writeUInt32LE(checksumOf(buffer, 0, length), 16);
    try {
      if (happens('journal_write_fails')) throw new Error('made to fail');
      await file.write(buffer, bytes, at);
    } catch (error) {
      // What was refused must not be booked by the next start.
      await file.write(noRecord, noRecord.length, at).catch(() => undefined);
      throw storeError('SQLITE_IOERR', `its journal cannot be written: ${String(error)}`);
    }
    checkPrevious();
    buffer.copy(lastHead, 0, 0, recordHeadBytes);
    [lastAt, next, seq] = [at, at + bytes, seq + 1];
    unbooked.push({ seq, at });
    return { text, position: { salt, seq, at: next } };
  };
  return {
    append: (text) => {
      const written = writing.then(() => write(text));
      writing = written.catch(() => undefined);
      return written;
    },
    free: (booked) => {
      const end = unbooked.findIndex((one) => one.seq > booked);
      unbooked.splice(0, end < 0 ? unbooked.length : end);
    },
    empty: () => file.write(headOf(0), startAt, 0),
    // Another file may get its number while a write is in progress.
    close: () => void writing.then(file.close),
  };
}
