// A store that is slow to commit after the provider has answered: the answer is late, it is charged
// once, and no provider is called for new requests in the meantime.
import type { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { engines, startGateway } from '../harness.ts';
import type { Engine, Gateway } from '../harness.ts';
import { openStore } from '../store-file.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { asOperator, makeAccount, operatorToken, settledMoney } from './small-account.ts';

const price = 7000;
/** Longer than an entry without a called provider waits for its commit. */
const lockedMs = 12_000;

test('a late commit delays the answer, and causes no error, on both stores', async () => {
  await Promise.all(engines.map(commitLate));
});

async function commitLate(engine: Engine): Promise<void> {
  const gate = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    await gate.promise;
    return exaAnswer([{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }]);
  });
  const env = {
    ...upstream.env,
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    TRIVIUM_PROVIDER_QUEUE_MS: '60000',
    LOG_LEVEL: 'error',
  };
  await using gateway = await startGateway({ engine, env });
  const databaseUrl = gateway.store['DATABASE_URL'];
  const account = await makeAccount(gateway, 1);
  const client = account.on(gateway);
  const search = (query: string, headers = {}) =>
    client.post('/v1/search', { query, provider: 'engine_a' }, headers);
  const asked = [search('plain'), search('keyed', { 'idempotency-key': 'k' })];
  await upstream.receives(asked.length);
  await checkHolds(gateway, databaseUrl);
  const unlock = await lockStore(gateway, databaseUrl);
  gate.resolve();
  // Once the commit is known to be late, a new request waits before its provider is called.
  await Bun.sleep(lockedMs / 2);
  const later = search('later');
  await Bun.sleep(lockedMs / 2);
  expect(upstream.received).toHaveLength(asked.length);
  await unlock();
  const answers = await Promise.all([...asked, later]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await search('keyed', { 'idempotency-key': 'k' })).text).toBe(answers[1]?.text ?? '');
  expect(await settledMoney(client)).toEqual({ balance: 1_000_000 - 3 * price, held: 0 });
  const listed = await gateway.get(`/admin/v1/requests?account_id=${account.id}`, asOperator);
  const { requests } = listed.body as { requests: { status: number }[] };
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
  await gateway.stop();
  await auditStore(gateway.store);
}

/** The hold of a request covers its wait for a free place, which is a minute here. */
async function checkHolds(gateway: Gateway, databaseUrl: string | undefined): Promise<void> {
  const text = 'select min(expires_at - created_at) as ms from holds';
  const [row] = await (databaseUrl === undefined
    ? withSqlite(gateway, (file) => file.query(text).all())
    : withPostgres(databaseUrl, (sql) => sql.unsafe(text)));
  expect(Number((row as { ms: unknown }).ms)).toBeGreaterThan(60_000 + 30_000);
}

async function withSqlite<T>(gateway: Gateway, work: (file: Sqlite) => T): Promise<T> {
  using file = openStore(gateway.store_dir);
  return work(file);
}

async function withPostgres<T>(url: string, work: (sql: Bun.SQL) => Promise<T>): Promise<T> {
  await using sql = new Bun.SQL(url, { max: 1 });
  return await work(sql);
}

/** No entry can be committed until the returned function is called. */
async function lockStore(
  gateway: Gateway,
  databaseUrl: string | undefined,
): Promise<() => Promise<void>> {
  if (databaseUrl === undefined) {
    const file = openStore(gateway.store_dir);
    file.run('begin immediate');
    return async () => {
      file.run('rollback');
      file.close();
    };
  }
  const sql = new Bun.SQL(databaseUrl, { max: 1 });
  await sql.unsafe('begin');
  await sql.unsafe('lock table accounts, deferred in exclusive mode');
  return async () => {
    await sql.unsafe('rollback');
    await sql.end();
  };
}
