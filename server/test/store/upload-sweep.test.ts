// The sweep of uploads on both stores: expired uploads, files without a row and rows without a file
// are deleted, and uploads in use stay.
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { insertUploads, listUploads } from '../../src/uploads/store/uploads.ts';
import { releaseUpload, sweepUploads } from '../../src/uploads/stored-uploads.ts';
import type { Database } from '../../src/store/database.ts';
import { makeUploadContext } from '../upload-context.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

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
