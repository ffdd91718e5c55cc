// No answer leaves before what it acknowledges is committed. A trigger of PostgreSQL holds every
// commit that changes one table back, for each operation that changes something. On a server that
// hangs, statements fail and its late answers are not used.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { waitFor } from '../../../e2e/wait-for.ts';
import { adminToken, type Ask } from '../gateway.ts';
import { callbackUrl } from '../../src/transcription/job-context.ts';
import { findJob, insertJobs } from '../../src/transcription/store/jobs.ts';
import { makeNewJob } from '../job-row.ts';
import { makeJobContext } from './job-context.ts';
import { postgresEngine } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { storeTrouble } from '../../src/platform/store-trouble.ts';
import { connectPostgres } from '../../src/store/postgres/postgres.ts';

const asOperator = { authorization: `Bearer ${adminToken}` };
const account = '/admin/v1/accounts/acct_default';
const endpoint = { url: 'https://receiver.example/hook', events: ['job.failed'] };
const lock = 47;

const vendor = { DEEPGRAM_API_KEY: 'k', TRIVIUM_PUBLIC_URL: 'https://gateway.example' };

/** The operation, the table that holds what it acknowledges, and what it needs first. */
interface Case {
  operation: string;
  table: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Its answer has the id that the operation is called with. */
  first?: readonly [path: string, body: unknown];
}

const key = [`${account}/keys`, { name: 'another' }] as const;
const webhook = ['/admin/v1/webhooks?account_id=acct_default', endpoint] as const;
const cases: readonly Case[] = [
  { operation: 'POST /v1/search', table: 'transfers', body: { query: 'solar' } },
  {
    operation: 'POST /v1/search',
    ...{ table: 'idempotency', body: { query: 'wind' }, headers: { 'idempotency-key': 'one' } },
  },
  { operation: 'POST /admin/v1/accounts', table: 'accounts', body: { name: 'new' } },
  { operation: `PATCH ${account}`, table: 'accounts', body: { name: 'renamed' } },
  {
    operation: `POST ${account}/topups`,
    ...{ table: 'transfers', body: { amount_usd: 1, reason: 'paid' } },
  },
  {
    operation: `POST ${account}/adjustments`,
    ...{ table: 'transfers', body: { amount_usd: -1, reason: 'corrected' } },
  },
  { operation: `POST ${account}/keys`, table: 'keys', body: { name: 'new' } },
  {
    operation: `POST ${account}/budgets`,
    table: 'budgets',
    body: { tag: 'team', value: 'a', monthly_cap_usd: 5 },
  },
  { operation: 'PATCH /admin/v1/keys/:id', table: 'keys', body: { name: 'renamed' }, first: key },
  { operation: 'DELETE /admin/v1/keys/:id', table: 'keys', first: key },
  {
    operation: 'POST /admin/v1/keys/:id/rotate',
    table: 'keys',
    body: { overlap_hours: 1 },
    first: key,
  },
  { operation: 'POST /admin/v1/invites', table: 'invites', body: { role: 'operator' } },
  {
    operation: 'POST /admin/v1/webhooks?account_id=acct_default',
    table: 'webhooks',
    body: endpoint,
  },
  {
    operation: 'PATCH /admin/v1/webhooks/:id',
    table: 'webhooks',
    body: { paused: true },
    first: webhook,
  },
  {
    operation: 'POST /admin/v1/webhooks/:id/rotate',
    table: 'webhooks',
    body: { overlap_hours: 1 },
    first: webhook,
  },
  { operation: 'POST /admin/v1/webhooks/:id/test', table: 'deliveries', first: webhook },
  { operation: 'DELETE /admin/v1/webhooks/:id', table: 'webhooks', first: webhook },
  {
    operation: 'POST /v1/transcriptions',
    ...{ table: 'jobs', body: { audio_url: 'https://recordings.example/1.mp3' } },
  },
  { operation: 'POST the callback of a vendor', table: 'callbacks', body: { results: {} } },
];

describe('on PostgreSQL', () => {
  let opened: GatewayOnStore;
  let sql: SQL;
  beforeAll(async () => {
    opened = await openGatewayOnStore(postgresEngine, '100', {
      ...vendor,
      DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
    });
    sql = new SQL(String(opened.store.settings['DATABASE_URL']), { max: 1 });
    await sql.unsafe(`create function held_back() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(${lock}); return null; end $$`);
  });
  afterAll(async () => {
    await sql.close();
    await opened[Symbol.asyncDispose]();
  });

  test.each(cases)('$operation waits for $table', async (one) => {
    const { operation, table, body, headers, first } = one;
    const { gateway, exa } = opened;
    const ask = (path: string, method = 'POST', more: Ask = {}) =>
      gateway.ask(method, path, {
        ...more,
        headers: { ...(path.startsWith('/admin') ? asOperator : {}), ...more.headers },
      });
    const made =
      first && ((await (await ask(first[0], 'POST', { body: first[1] })).json()) as { id: string });
    const release = async () => {
      await sql.unsafe('select pg_advisory_unlock_all()');
      await sql.unsafe(`drop trigger if exists held_back on ${table}`);
    };
    const [method = '', named = ''] = operation.replace(':id', made?.id ?? '').split(' ');
    const path = table === 'callbacks' ? await makeCallbackPath(opened) : named;
    await using _trigger = { [Symbol.asyncDispose]: release };
    await sql.unsafe(`create constraint trigger held_back after insert or update or delete on
      ${table} deferrable initially deferred for each row execute function held_back()`);
    await sql.unsafe(`select pg_advisory_lock(${lock})`);
    let status: number | undefined;
    const answered = ask(path, method, {
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    }).then((response) => (status = response.status));
    const isHeld = async () => {
      const [row] = (await sql.unsafe(
        `select count(*) as waiting from pg_locks where locktype = 'advisory' and objid = ${lock}
         and not granted and database = (select oid from pg_database where datname = current_database())`,
      )) as [{ waiting: unknown }];
      return Number(row.waiting) > 0;
    };
    await waitFor(async () => status !== undefined || (await isHeld()), {
      what: 'a commit that is held back',
    });
    // An answer that had not waited would have left before these.
    for (let count = 0; count < 3; count += 1) await gateway.ask('GET', '/v1/balance');
    expect(status).toBeUndefined();
    if (table === 'idempotency') expect(exa.calls()).toBe(1);
    await release();
    await answered;
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
  });
});

/** The path that the vendor of a submitted job calls. */
async function makeCallbackPath({ store }: GatewayOnStore): Promise<string> {
  const { database, settings } = store;
  const id = `job_${crypto.randomUUID()}`;
  const times = { created_at: Date.now(), deadline_at: Date.now() + 60_000 };
  const place = { account_id: 'acct_default', provider: 'stt_b', model: 'nova-3' } as const;
  await insertJobs(database, [makeNewJob(id, { ...place, ...times })]);
  const state = `status = 'running', attempt_status = 'waiting', run_at = deadline_at`;
  await database.run(`update jobs set ${state} where id = $1`, [id]);
  const job = await findJob(database, id);
  if (!job) throw new Error('The job does not exist.');
  const context = makeJobContext(database, 'a worker', vendor);
  const secret = String(settings['TRIVIUM_SECRET']);
  return new URL(callbackUrl({ ...context, secret }, job) ?? '').pathname;
}

test('statements on a server that hangs fail, and its late answers are not used', async () => {
  const store = await postgresEngine.open('empty');
  const url = new URL(store.settings['DATABASE_URL'] ?? '');
  await using proxy = await startProxy(Number(url.port || '5432'));
  url.port = String(proxy.port);
  const database = await connectPostgres(url.href);
  try {
    await database.run('create table marks (name text primary key)');
    const insert = (name: string) =>
      database.transaction((tx) => tx.run('insert into marks (name) values ($1)', [name]));
    await insert('before');
    proxy.freeze();
    const outcomes = await Promise.allSettled([
      insert('lost'),
      database.run('select 1 as one'),
      ...Array.from({ length: 40 }, () => database.run('select 2 as two')),
    ]);
    const troubles = outcomes.map((one) =>
      one.status === 'rejected' ? storeTrouble(one.reason) : 'an answer',
    );
    expect(new Set(troubles)).toEqual(new Set(['lost']));
    // New connections reach a server that answers; those to the server that hung are closed.
    proxy.thaw();
    await insert('after');
    const rows = await database.run<{ name: string }>('select name from marks order by name');
    expect(rows.map(({ name }) => name)).toEqual(['after', 'before']);
    expect(proxy.countFrozen()).toBe(0);
  } finally {
    await database.close();
    await store.discard();
  }
}, 60_000);

/** Forwards connections; while it is frozen, existing and new ones forward nothing more. */
async function startProxy(port: number) {
  let isFrozen = false;
  const pairs = new Set<{ caller: Socket; server: Socket; frozen: boolean }>();
  const proxy = createServer((caller) => {
    const server = connect(port, '127.0.0.1');
    const pair = { caller, server, frozen: isFrozen };
    pairs.add(pair);
    caller.on('data', (chunk) => pair.frozen || server.write(chunk));
    server.on('data', (chunk) => pair.frozen || caller.write(chunk));
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return {
    port: address.port,
    freeze: () => {
      isFrozen = true;
      for (const pair of pairs) pair.frozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    /** How many frozen connections the gateway still keeps. */
    countFrozen: () => [...pairs].filter(({ frozen }) => frozen).length,
    [Symbol.asyncDispose]: async () => {
      for (const { caller, server } of pairs) {
        caller.destroy();
        server.destroy();
      }
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
