// Small reports on both engines: the lines of the ledger with their balances, the version of what the
// pages of an account show, and the latency of providers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Account, type TransferLine, TransferList } from '@trivium/contract';
import { findNewer } from '../../src/billing/store/ledger.ts';
import { makeInsert } from './any-row.ts';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { writeRequests } from '../../src/requests/write-requests.ts';
import { readActivity } from '../../src/reporting/reports.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';
import { readProviderRecords } from '../../src/requests/overview.ts';
import { sampleRequests } from '../../src/requests/store/samples.ts';
import type { Database } from '../../src/store/database.ts';

const account = 'acct_default';

describe.each(engines)('the ledger on $name', (engine) => {
  let fixture: GatewayOnStore;
  const admin = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await fixture.gateway.admin(method, path, body)).json();
  const list = async (query: string): Promise<TransferList> =>
    TransferList.parse(await admin('GET', `/transfers?${query}`));

  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '1');
    for (const query of ['solar', 'wind', 'tides']) {
      expect((await fixture.gateway.search({}, { query })).status).toBe(200);
      await admin('POST', `/accounts/${account}/topups`, { amount_usd: 0.5, reason: query });
    }
    const [charge] = (await list(`account_id=${account}&kind=settle`)).transfers;
    const refund = { request_id: charge?.request_id, amount_usd: 0.002, reason: 'unusable' };
    await admin('POST', `/accounts/${account}/refunds`, refund);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('each balance is the one of the line before plus the amount', async () => {
    const { transfers } = await list(`account_id=${account}`);
    expect(transfers).toHaveLength(8);
    const now = Account.parse(await admin('GET', `/accounts/${account}`));
    expect(transfers[0]?.balance_after_usd).toBe(now.balance_usd);
    let balance = 0;
    for (const line of transfers.toReversed()) {
      balance = Number((balance + line.amount_usd).toFixed(6));
      expect(line.balance_after_usd).toBe(balance);
    }
  });

  test('filters and pages do not change the balances', async () => {
    const { transfers: all } = await list(`account_id=${account}`);
    const balanceOf = (id: string) => all.find((line) => line.id === id)?.balance_after_usd;
    const seen: TransferLine[] = [];
    for (const filter of ['kind=topup', 'kind=settle', 'kind=refund']) {
      seen.push(...(await list(`account_id=${account}&${filter}`)).transfers);
    }
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: TransferList = await list(`account_id=${account}&limit=3${more}`);
      seen.push(...page.transfers);
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(16);
    for (const line of seen) expect(line.balance_after_usd).toBe(balanceOf(line.id) ?? NaN);
  });

  test('lines before the latest 20,000 have no balance', async () => {
    const { database } = fixture.store;
    const insert = await makeInsert(database);
    await insert('accounts', { id: 'busy', posted: 20_001 });
    const line = { id: 't', account_id: 'busy', amount: 1, created_at: 1, kind: 'topup' };
    await insert('transfers', line, { count: 20_001 });
    const found = await findNewer(database, ['t_9999', 't_1'], 'busy', 1);
    expect([...found.keys()]).toEqual(['t_9999']);
  });

  test('a charge and its refund say what they were for', async () => {
    const { transfers } = await list(`account_id=${account}`);
    const charges = transfers.filter(({ kind }) => kind === 'settle');
    expect(charges.map(({ asked }) => asked)).toEqual(['tides', 'wind', 'solar']);
    for (const line of charges) {
      expect(line).toMatchObject({ tool: 'search', provider: 'engine_a' });
    }
    const refund = transfers.find(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({ tool: 'search', asked: 'tides' });
    expect(transfers.find(({ kind }) => kind === 'topup')).toMatchObject({
      tool: null,
      provider: null,
      asked: null,
    });
    for (const line of (await list('limit=500')).transfers) {
      expect(line.balance_after_usd).toBeNull();
    }
  });
});

const now = new Date('2026-11-16T12:00:00Z');
const clock = { ...systemClock, now: () => now };

const job = {
  id: 'job_1',
  account_id: 'mine',
  key_id: 'key_1',
  request_id: 'req_1',
  provider: 'stt_a',
  model: 'm',
  request: {
    audio_url: 'https://recordings.example/one.wav',
    ask: { model: 'm', timestamps: 'word' },
    options: {},
  },
  created_at: now.getTime(),
  deadline_at: now.getTime() + 1,
} as const;

describe.each(engines)('on $name', (engine) => {
  test('a request, a late request, its cost, a job and money change the version; nothing else does', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    for (const id of ['mine', 'other']) await insertAccount(database, { id, name: id }, 0);
    const seen = new Set<string>();
    const isNew = async () => {
      const { version } = await readActivity({ database, clock }, { account_id: 'mine' });
      const before = seen.size;
      return seen.add(version).size > before;
    };
    const log = (id: string, account: string, ageMs: number) => {
      const request = { ...requestRow(account), id, created_at: now.getTime() - ageMs };
      return writeRequests(database, [{ request, outcome: undefined }], false);
    };
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    await log('first', 'mine', 0);
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    await log('booked late', 'mine', 60_000);
    expect(await isNew()).toBe(true);
    const costs = { ...requestRow('mine'), id: 'first', created_at: now.getTime() };
    const outcome = { kind: 'settled', cost: 7000, again: false };
    await writeRequests(database, [{ costs_request: costs, outcome }], false);
    expect(await isNew()).toBe(true);
    await insertJobs(database, [job]);
    expect(await isNew()).toBe(true);
    await database.run("update accounts set posted = posted + 1 where id = 'mine'", []);
    expect(await isNew()).toBe(true);
    await log('foreign', 'other', 0);
    await database.run("update accounts set posted = posted + 1 where id = 'other'", []);
    expect(await isNew()).toBe(false);
  });

  test('an account that does not exist has no activity', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const read = () => readActivity({ database, clock }, { account_id: 'nowhere' });
    expect((await read()).version).toBe((await read()).version);
  });
});

const rows = [
  { id: 'old', account: 'a', provider: 'engine_a', status: 200, latency: 9000, at: 1000 },
  { id: 'new', account: 'a', provider: 'engine_a', status: 200, latency: 100, at: 5000 },
  { id: 'other', account: 'b', provider: 'engine_a', status: 502, latency: 700, at: 5000 },
  { id: 'refused', account: 'a', provider: 'engine_b', status: 402, latency: 1, at: 5000 },
  { id: 'limited', account: 'a', provider: 'engine_a', status: 429, latency: 1, at: 5000 },
  { id: 'accepted', account: 'a', provider: 'stt_a', status: 202, latency: 0, at: 5000 },
];

describe.each(engines)('on $name', (engine) => {
  test('a sample contains the latest requests of all accounts', async () => {
    await using store = await makeStore(engine);
    await fill(store.database);
    const latencies = async (limit: number) =>
      (await sampleRequests(store.database, limit)).map(({ latency_ms }) => latency_ms);
    expect((await latencies(100)).toSorted()).toEqual([0, 1, 1, 100, 700, 9000]);
    expect(await latencies(5)).not.toContain(9000);
  });

  test('refusals count for none of the providers, and an accepted job has no latency', async () => {
    await using store = await makeStore(engine);
    await fill(store.database);
    const { records } = await readProviderRecords({ database: store.database });
    expect(records).toEqual([
      { id: 'engine_a', requests: 3, failures: 1, p50_ms: 100, p95_ms: 9000 },
      { id: 'stt_a', requests: 1, failures: 0, p50_ms: null, p95_ms: null },
    ]);
  });
});

async function fill(database: Database): Promise<void> {
  for (const { id, account, provider, status, latency, at } of rows) {
    await database.run(
      `insert into requests (id, account_id, key_id, tool, provider, status, warnings, cost,
         latency_ms, created_at) values ($1, $2, 'key', 'search', $3, $4, 0, 0, $5, $6)`,
      [id, account, provider, status, latency, at],
    );
  }
}
