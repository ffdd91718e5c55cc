// This version opens a store of a released version that was killed in the middle of its work, and
// keeps what the released version promised.
import { SQL } from 'bun';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { SessionView } from '@trivium/contract';
import { auditStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { engines, startGateway } from '../harness.ts';
import type { Engine, Gateway } from '../harness.ts';
import { hasEnded, readJob, waitForJob } from '../jobs.ts';
import { loadReleased, releasedEnv, releasedRequest, vendorOf } from '../released-store/fixture.ts';
import type { ReleasedStore } from '../released-store/fixture.ts';
import last from '../released-store/store-0.2.0.json' with { type: 'json' };
import { startUpstream } from '../upstream.ts';
import { waitFor } from '../wait-for.ts';

const waitLimitMs = 60_000;
const store: ReleasedStore = last;

interface Opened extends AsyncDisposable {
  gateway: Gateway;
  /** Runs a statement; the embedded store is changed while its gateway is stopped. */
  run: (statement: string) => Promise<Record<string, unknown>[]>;
  env: Record<string, string>;
}

async function open(engine: Engine, env: Record<string, string>): Promise<Opened> {
  const made = await emptyFolder();
  const folder = made.path;
  const database = engine === 'PostgreSQL' ? await createDatabase('empty') : undefined;
  const connect = () =>
    database
      ? new SQL(database.url, { max: 1 })
      : new SQL({ adapter: 'sqlite', filename: join(folder, 'trivium.sqlite') });
  const onStore = async <T>(work: (sql: SQL) => Promise<T>): Promise<T> => {
    const sql = connect();
    try {
      return await work(sql);
    } finally {
      await sql.close();
    }
  };
  await onStore((sql) =>
    loadReleased((text, values = []) => sql.unsafe(text, values), store, engine),
  );
  const gateway = await startGateway({
    env: { ...releasedEnv, ...env },
    data_dir: folder,
    sandbox: env['EXA_BASE_URL'] ?? '',
    ...(database ? { database_url: database.url } : {}),
  });
  return {
    gateway,
    env: {
      TRIVIUM_SECRET: releasedEnv.TRIVIUM_SECRET,
      ...(database ? { DATABASE_URL: database.url } : { TRIVIUM_DATA_DIR: folder }),
    },
    run: async (statement) => {
      const isChange = statement.startsWith('update') && !database;
      if (isChange) await gateway.stop();
      const rows = await onStore((sql) => sql.unsafe(statement));
      if (isChange) await gateway.restart();
      return rows as Record<string, unknown>[];
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await database?.[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
    },
  };
}

function search(gateway: Gateway, key: string, query: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: releasedRequest(query),
  });
}

const jobId = (name: string) => store.jobs[name] ?? '';

test.each(engines)(
  'on %s it keeps its answers, charges and jobs after the upgrade',
  async (engine) => {
    const hang = new Promise<never>(() => undefined);
    await using vendor = startUpstream(vendorOf({ isUp: true, hang }));
    const urls = { EXA_BASE_URL: vendor.url, ASSEMBLYAI_BASE_URL: vendor.url };
    await using opened = await open(engine, urls);
    const { gateway, run } = opened;

    const replayed = await search(gateway, 'answered', 'tides');
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(await replayed.text()).toBe(store.answered);
    expect((await search(gateway, 'answered', 'waves')).status).toBe(409);
    const session = await fetch(`${gateway.url}/admin/v1/session`, {
      headers: { cookie: store.cookie, origin: gateway.url },
    });
    expect(SessionView.parse(await session.json())).toMatchObject({
      person: { role: 'operator' },
    });

    // The request that was cut off runs again under its key, once.
    expect((await search(gateway, 'running', 'hang')).headers.get('idempotent-replayed')).toBe(
      null,
    );
    expect((await search(gateway, 'running', 'hang')).headers.get('idempotent-replayed')).toBe(
      'true',
    );

    for (const name of ['done', 'waits', 'busy']) {
      const job = await waitForJob(gateway, jobId(name), hasEnded);
      expect([name, job.status]).toEqual([name, 'completed']);
    }
    expect((await readJob(gateway, jobId('fails'))).status).toBe('failed');
    for (const name of ['hangs', 'lost']) {
      expect([name, (await readJob(gateway, jobId(name))).status]).toEqual([name, 'running']);
    }
    await run(`update jobs set deadline_at = 1, run_at = 1 where finished_at is null`);
    for (const name of ['hangs', 'lost']) {
      const job = await waitForJob(gateway, jobId(name), hasEnded);
      expect([name, job.status]).toEqual([name, 'failed']);
    }

    const paid = await run("select id from transfers where kind = 'settle'");
    const jobs = ['done', 'waits', 'busy'].map((name) => `job:${jobId(name)}`);
    const ids = paid.map(({ id }) => String(id));
    expect(ids.filter((id) => id.startsWith('job:')).toSorted()).toEqual(jobs.toSorted());
    // One before the kill, one under the key that ran again, and two in the embedded journal.
    const searches = engine === 'PostgreSQL' ? 2 : 4;
    expect(ids.filter((id) => id.startsWith('req_'))).toHaveLength(searches);
    await waitFor(() => run('select id from holds'), {
      what: 'no hold is left',
      limitMs: waitLimitMs,
      until: ({ length }) => length === 0,
    });
    expect(await run('select task from deferred')).toEqual([]);
    await auditStore(opened.env);
  },
);
