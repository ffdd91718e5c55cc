// Files of uploads on both stores: received whole or not at all, and deleted once they have expired or
// have no row, while uploads in use stay.
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { insertUploads, listUploads } from '../../src/uploads/store/uploads.ts';
import { openUpload, releaseUpload, sweepUploads } from '../../src/uploads/stored-uploads.ts';
import type { Database } from '../../src/store/database.ts';
import { makeUploadContext } from '../upload-context.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import type { Caller } from '../../src/requests/index.ts';
import { whileReceiving } from '../../src/uploads/receive-upload.ts';

const hourMs = 60 * 60_000;
const idOf = (number: number) => `upl_${number.toString(16).padStart(32, '0')}`;

describe.each(engines)('on $name', (engine) => {
  test('deletes expired uploads and keeps those that a job needs', async () => {
    await using fixture = await browserFixture(engine);
    const { database, now } = fixture;
    await fixture.add(1, { expires_at: now + 1 });
    await fixture.add(2, { expires_at: now });
    await fixture.add(3, { expires_at: now });
    await fixture.add(4, { expires_at: now + 1 });
    await insertJob(database, 'job_3', idOf(3), null);
    await insertJob(database, 'job_4', idOf(4), now);
    await sweepUploads(fixture.context, 0);
    expect(await fixture.rows()).toEqual([idOf(1), idOf(3)]);
    expect(fixture.files()).toEqual([idOf(1), idOf(3)]);
    await releaseUpload(fixture.context, idOf(3));
    expect(fixture.files()).toContain(idOf(3));
    await database.run('update jobs set finished_at = $1', [now]);
    await releaseUpload(fixture.context, idOf(3));
    expect([await fixture.rows(), fixture.files()]).toEqual([[idOf(1)], [idOf(1)]]);
  });

  test('keeps the upload of a job that has ended for as long as the operator wants', async () => {
    await using fixture = await browserFixture(engine);
    const { database, now } = fixture;
    const settings = { ...fixture.context.settings, keep_recording_hours: 2 };
    const keeping = { ...fixture.context, settings };
    await fixture.add(1, { expires_at: now + 1 });
    await insertJob(database, 'job_1', idOf(1), now);
    await releaseUpload(keeping, idOf(1));
    const at = (later: number) => ({ ...keeping.clock, now: () => new Date(now + later) });
    await sweepUploads({ ...keeping, clock: at(2 * hourMs - 1) }, 0);
    expect(fixture.files()).toEqual([idOf(1)]);
    await sweepUploads({ ...keeping, clock: at(2 * hourMs) }, 0);
    expect([await fixture.rows(), fixture.files()]).toEqual([[], []]);
    // Once the operator keeps none, those that were kept are deleted.
    await fixture.add(2, { expires_at: now + hourMs });
    await insertJob(database, 'job_2', idOf(2), now);
    await sweepUploads(fixture.context, 0);
    expect(fixture.files()).toEqual([]);
  });

  test('deletes files without a row, partial or complete, once they are old enough', async () => {
    await using fixture = await browserFixture(engine);
    await fixture.add(1, {});
    fixture.write(idOf(2));
    fixture.write(`${idOf(3)}.part`);
    fixture.write(idOf(4));
    fixture.context.receiving.names.add(idOf(4));
    fixture.write('notes.txt');
    await sweepUploads(fixture.context, hourMs);
    expect(fixture.files()).toHaveLength(5);
    for (const name of fixture.files()) fixture.age(name, 2 * hourMs);
    await sweepUploads(fixture.context, hourMs);
    expect(fixture.files()).toEqual(['notes.txt', idOf(1), idOf(4)]);
  });

  test('deletes rows whose file is gone, unless another gateway may have it', async () => {
    await using fixture = await browserFixture(engine);
    await fixture.add(1, {});
    await fixture.add(2, {});
    rmSync(join(fixture.folder, idOf(2)));
    await sweepUploads(fixture.context, 0);
    const kept = engine.name === 'SQLite' ? [idOf(1)] : [idOf(1), idOf(2)];
    expect(await fixture.rows()).toEqual(kept);
  });

  test('deletes a thousand at once', async () => {
    await using fixture = await browserFixture(engine);
    for (let number = 1; number <= 1000; number += 1) {
      await fixture.add(number, { expires_at: fixture.now });
    }
    await sweepUploads(fixture.context, 0);
    expect([await fixture.rows(), fixture.files()]).toEqual([[], []]);
  });
});

async function browserFixture(engine: (typeof engines)[number]) {
  const store = await makeStore(engine);
  const folder = join(mkdtempSync(join(tmpdir(), 'trivium-uploads-')), 'uploads');
  mkdirSync(folder);
  const now = Date.now() + 1;
  const clock = { now: () => new Date(now), ticks: () => 0, sleep: () => Promise.resolve() };
  const { database } = store;
  await insertAccount(database, { id: 'acct', name: 'acct' }, 0);
  const context = makeUploadContext(database, folder, clock);
  const write = (name: string) => writeFileSync(join(folder, name), 'RIFF');
  return {
    database,
    folder,
    now,
    context,
    write,
    add: async (number: number, { expires_at = now + hourMs }: { expires_at?: number }) => {
      const id = idOf(number);
      const about = {
        account_id: 'acct',
        type: 'audio/wav',
        bytes: 4,
        created_at: now - 1,
        seconds: null,
        name: null,
      };
      await insertUploads(database, [{ id, ...about, expires_at }]);
      write(id);
    },
    age: (name: string, ms: number) => {
      const at = new Date(now - ms);
      utimesSync(join(folder, name), at, at);
    },
    files: () => readdirSync(folder).toSorted(),
    rows: () => listUploads(database, '', now + hourMs, 2000),
    [Symbol.asyncDispose]: async () => {
      await store.discard();
      rmSync(folder, { recursive: true });
    },
  };
}

async function insertJob(
  database: Database,
  id: string,
  uploadId: string,
  finishedAt: number | null,
): Promise<void> {
  await database.run(
    `insert into jobs
       (id, account_id, key_id, request_id, provider, model, request, status, attempt,
        attempt_status, tries, created_at, updated_at, deadline_at, run_at, steps, upload_id,
        finished_at)
     values ($1, 'acct', 'key', $1, 'stt_a', 'm', '{}', 'running', 1, 'waiting', 0, 0, 0, 0, 0, '',
       $2, $3)`,
    [id, uploadId, finishedAt],
  );
}

const wave = new Uint8Array(1_048_577);
wave.set(new TextEncoder().encode('RIFF....WAVEfmt '));

const several = 'a gateway among several, each with a folder of its own';
const withBucket = 'a gateway among several, with one bucket';
const cases: readonly [what: string, sizes: readonly number[], outcome: number | string][] = [
  ['one chunk', [3000], 3000],
  ['many chunks', [5, 3000, 1, 100_000, 4000], 107_006],
  ['exactly the limit', [600_000, 448_576], 1_048_576],
  ['more than the limit', [600_000, 448_576, 1], '413'],
  ['nothing', [], '400'],
  ['no recording', [0, 16], '400'],
  [several, [3000], '503'],
  [withBucket, [3000], 3000],
];

describe.each(engines)('on $name', (engine) => {
  // The embedded store belongs to one gateway.
  const possible = cases.filter(([what]) => what !== several || engine.name === 'PostgreSQL');
  test.each(possible)('%s', async (what, sizes, outcome) => {
    await using store = await makeStore(engine);
    await insertAccount(store.database, { id: 'acct', name: 'a' }, 0);
    const folder = mkdtempSync(join(tmpdir(), 'trivium-uploads-'));
    const made = makeUploadContext(store.database, folder);
    const kind = what === withBucket ? 'bucket' : 'folder';
    const countGateways = async () => (what === several || kind === 'bucket' ? 2 : 1);
    const context = { ...made, files: { ...made.files, kind } as const, countGateways };
    const chunks = async function* () {
      let at = 0;
      for (const size of sizes) {
        yield what === 'no recording' ? new Uint8Array(size) : wave.slice(at, at + size);
        at += size;
      }
    };
    const caller = { account_id: 'acct', key_id: 'k' } as Caller;
    const received = await whileReceiving(context, caller, 1000, (put) => put(chunks())).then(
      (upload) => upload,
      (error: unknown) => String((error as { status?: unknown }).status),
    );
    if (typeof received === 'string') {
      expect([received, readdirSync(folder)]).toEqual([String(outcome), []]);
      expect(await store.database.run('select id from uploads')).toEqual([]);
    } else {
      expect<unknown>(received.bytes).toBe(outcome);
      const opened = await openUpload(context, received.id);
      expect<unknown>((await new Response(opened?.file.stream()).bytes()).length).toBe(outcome);
    }
    rmSync(folder, { recursive: true });
  });
});
