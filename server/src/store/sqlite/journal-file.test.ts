// The journal of the embedded store: what was acknowledged is read by the next start, in order and once,
// and a file that has lost some of it is refused.
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { injected } from '../../platform/fault-points.ts';
import { type JournalFile, type Position, readJournal, startJournal } from './journal-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-journal-'));
const path = join(folder, 'journal');
let journal: JournalFile;
let start: Position;

async function open() {
  journal = await startJournal(path, async (position) => void (start = position));
}

beforeEach(open);
afterAll(() => rmSync(folder, { recursive: true }));

async function append(...texts: string[]) {
  const records = [];
  for (const text of texts) records.push(await journal.append(text));
  return records.map(({ position }) => position);
}

/** What the next start books. */
const left = (from: Position | undefined = start, acceptLoss?: (reason: string) => void) =>
  readJournal(path, from, acceptLoss).map(({ text }) => text);

/** Overwrites a part of the file, as another program might. */
function spoil(at: number, bytes: Uint8Array = Buffer.alloc(64, 7)) {
  const content = readFileSync(path);
  content.set(bytes, at);
  writeFileSync(path, content);
}

test('records are read in order, from the first that is not booked', async () => {
  const [first] = await append('one', 'zwei – ü 🎈', '');
  expect(left()).toEqual(['one', 'zwei – ü 🎈', '']);
  expect(left(first)).toEqual(['zwei – ü 🎈', '']);
});

test('records that are appended at once follow each other', async () => {
  const texts = Array.from({ length: 50 }, (_, at) => `record ${at}`);
  await Promise.all(texts.map((text) => journal.append(text)));
  expect(left()).toEqual(texts);
});

test('what an earlier use of the file has left is no record', async () => {
  await append('one', 'two');
  const before = start;
  await open();
  expect(left()).toEqual([]);
  await append('three');
  expect(left()).toEqual(['three']);
  expect(() => left(before)).toThrow('it belongs to another store');
});

test('a record that was not written to its end was not acknowledged, and is no record', async () => {
  const [, second] = await append('one', 'two', 'three');
  spoil((second?.at ?? 0) + 24, Buffer.from('thr\0'));
  expect(left()).toEqual(['one', 'two']);
  // Its place is free.
  await append('four');
});

const offsets = { head: 0, text: 24, checksum: 16 };

test.each(['head', 'text', 'checksum'] as const)(
  'a record with a wrong %s is missed if there are later ones',
  async (what) => {
    const [first] = await append('one', 'two', 'three');
    spoil((first?.at ?? 0) + offsets[what], Buffer.alloc(3, 9));
    expect(() => left()).toThrow('a record is missing');
  },
);

test('a missing, short or foreign file is refused, also by the next append', async () => {
  await append('one');
  spoil(0);
  expect(() => left()).toThrow('it was overwritten');
  truncateSync(path, 1000);
  expect(() => left()).toThrow('it was truncated');
  expect(await journal.append('two').catch(String)).toContain('it was truncated');
  rmSync(path);
  expect(() => left()).toThrow('it is missing');
});

test('a store without a position needs no journal, unless one was in use', async () => {
  await append('one');
  expect(() => readJournal(path, undefined)).toThrow('the store is older than its journal');
  await journal.empty();
  expect([readJournal(path, undefined), left()]).toEqual([[], []]);
  rmSync(path);
  expect(readJournal(path, undefined)).toEqual([]);
});

test('a start that is interrupted anywhere has lost nothing', async () => {
  rmSync(path);
  const stopped = await startJournal(path, (position) => {
    start = position;
    return Promise.reject(new Error('the process ends'));
  }).catch(String);
  expect(stopped).toContain('the process ends');
  expect([readJournal(path, undefined), left()]).toEqual([[], []]);
});

test('an accepted loss keeps the records before it, and its reason is told', async () => {
  const told: string[] = [];
  const accept = (reason: string) => void told.push(reason);
  const [first] = await append('one', 'two', 'three');
  spoil(first?.at ?? 0, Buffer.alloc(3, 9));
  expect(left(start, accept)).toEqual(['one']);
  rmSync(path);
  expect(left(start, accept)).toEqual([]);
  expect(told).toEqual(['a record is missing', 'it is missing']);
});

test('an append notices that the record before it was overwritten', async () => {
  await append('one');
  spoil(32);
  expect(await journal.append('two').catch(String)).toContain('it was overwritten');
});

test('places are used again once their records are booked, and not before', async () => {
  const long = 'x'.repeat(600_000);
  let booked = start;
  const seen: string[] = [];
  for (let at = 0; at < 40; at += 1) {
    const text = `${at} ${long.slice(at * 1000)}`;
    const refused = await journal.append(text).catch((error: unknown) => error as { code: string });
    if (!('code' in refused)) continue;
    expect(refused.code).toBe('SQLITE_FULL');
    const records = readJournal(path, booked);
    expect(records.length).toBeGreaterThan(2);
    // All but the last two are booked.
    const done = records.slice(0, -2);
    seen.push(...done.map((one) => one.text.split(' ')[0] ?? ''));
    booked = done.at(-1)?.position ?? booked;
    journal.free(booked.seq);
    await journal.append(text);
  }
  seen.push(...readJournal(path, booked).map((one) => one.text.split(' ')[0] ?? ''));
  expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => String(at)));
});

test('a refused write leaves no record, and the next one takes its place', async () => {
  await append('one');
  injected.happensAt = () => true;
  const error = await journal.append('two').catch((refused: unknown) => refused);
  injected.happensAt = undefined;
  expect(error).toMatchObject({ code: 'SQLITE_IOERR' });
  expect(left()).toEqual(['one']);
  await append('three');
  expect(left()).toEqual(['one', 'three']);
});
