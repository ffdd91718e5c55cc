// GET /v1/usage and GET /v1/jobs on both engines: what an account, or one key of it, has used,
// with money that equals the ledger, as JSON or CSV.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Job, Key, NewKey, OwnJobList, OwnUsage, UsageReport } from '@trivium/contract';
import { adminToken, type TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import { type GatewayOnSandbox, openGatewayOnSandbox } from './gateway-on-store.ts';
import type { TestStore } from './store-pool.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const recording = 'https://recordings.example/interview.wav';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe.each(engines)('on $name', (engine) => {
  let on: GatewayOnSandbox;
  let store: TestStore;
  let gateway: TestGateway;
  let other: { key: string; id: string };
  let otherKey: string;
  let otherAccount: string;

  const get = (path: string, key = gateway.key, headers = {}) =>
    gateway.ask('GET', path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  const usage = async (query: string, key?: string) =>
    OwnUsage.parse(await (await get(`/v1/usage?${query}`, key)).json());
  const post = async (path: string, body: object, tags = '', key = gateway.key) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(tags === '' ? {} : { 'x-trivium-tags': tags }),
    };
    return gateway.ask('POST', path, { body, headers });
  };
  const charged = async () => {
    const [row] = await store.database.run(
      `select sum(0 - amount) as sum from transfers
       where kind = 'settle' and account_id = 'acct_default'`,
    );
    return Number(row?.['sum']) / 1e6;
  };

  beforeAll(async () => {
    on = await openGatewayOnSandbox(engine);
    ({ gateway, store } = on);
    const made = await gateway.admin('POST', '/accounts/acct_default/keys', {
      name: 'Own',
      own_use_only: true,
    });
    const { key, id, own_use_only } = NewKey.parse(await made.json());
    expect(own_use_only).toBe(true);
    other = { key, id };
    ({ id: otherAccount, key: otherKey } = await gateway.newAccount());
    const search = (tags: string, own?: string) =>
      post('/v1/search', { query: 'solar', provider: 'engine_a' }, tags, own);
    await Promise.all([search('team=a'), search('team=a,run=1'), search('team=b'), search('')]);
    await Promise.all([search('team=a', key), search('', key)]);
    await post('/v1/extract', { urls: ['https://grid.example/storage'] }, 'team=b');
    await post('/v1/search', { query: '' }, 'team=a');
    for (const mine of [gateway.key, key]) {
      await post('/v1/transcriptions', { audio_url: recording }, 'team=a', mine);
    }
    const readJobs = async () => OwnJobList.parse(await (await get('/v1/jobs')).json()).jobs;
    await waitFor(readJobs, {
      what: 'the jobs complete',
      until: (jobs) => jobs.every(({ status }) => status === 'completed'),
    });
  });

  afterAll(() => on[Symbol.asyncDispose]());

  test.each(['day', 'tool', 'provider', 'key', 'tag:team', 'tag:run', 'tag:none'])(
    'the sum by %s equals what the ledger charged',
    async (by) => {
      const { usage: lines, total } = await usage(`by=${by}`);
      const sum = lines.reduce((all, { cost_usd }) => all + Math.round(cost_usd * 1e6), 0) / 1e6;
      expect([sum, total.cost_usd]).toEqual([await charged(), await charged()]);
      expect(total.requests).toBe(10);
    },
  );

  test.each(['tool', 'key', 'tag', 'tag:team', 'account'])(
    'by %s, each day and the range before are in the report of the account and of the operator',
    async (by) => {
      const today = new Date().toISOString().slice(0, 10);
      const query = `by=${by}&from=${today}&compare=previous&interval=day`;
      const response = await gateway.admin('GET', `/usage?account_id=acct_default&${query}`);
      const report = UsageReport.parse(await response.json());
      expect(report.previous).toMatchObject({ requests: 0, cost_usd: 0 });
      for (const { days = [], previous, requests, cost_usd } of report.usage) {
        expect(previous).toMatchObject({ requests: 0 });
        expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(requests);
        expect(days.map((day) => day.cost_usd)).toEqual([cost_usd]);
      }
      expect(report.usage.length).toBeGreaterThan(0);
      expect(report.total.requests).toBe(10);
      if (by === 'account') return;
      const { stored: _stored, ...own } = await usage(query);
      expect(own).toEqual(report);
    },
  );

  test('groups of the range before have a line, and a part of a day has its day', async () => {
    const tomorrow = new Date(Date.now() + dayMs).toISOString().slice(0, 10);
    const later = await usage(`by=tag:team&from=${tomorrow}&to=${tomorrow}&compare=previous`);
    expect(
      later.usage.map(({ group, requests, previous }) => [group, requests, previous?.requests]),
    ).toEqual([
      ['', 0, 2],
      ['a', 0, 6],
      ['b', 0, 2],
    ]);
    expect(later.previous?.requests).toBe(10);
    const from = new Date(Date.now() - 2 * hourMs).toISOString();
    const part = await usage(
      `by=tag&from=${from}&to=${new Date(Date.now() + hourMs).toISOString()}&interval=day`,
    );
    expect(part.usage.map(({ group, requests }) => [group, requests])).toEqual([
      ['run', 1],
      ['team', 8],
    ]);
    expect(part.usage[1]?.days?.reduce((sum, { requests }) => sum + requests, 0)).toBe(8);
    for (const query of ['compare=previous', 'interval=hour', 'compare=next&from=2026-01-01']) {
      expect((await get(`/v1/usage?${query}`)).status).toBe(400);
      expect((await gateway.admin('GET', `/usage?${query}`)).status).toBe(400);
    }
  });

  test('the report is a table as CSV, by group or by group and day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const read = async (path: string) => (await gateway.admin('GET', path)).text();
    const plain = await read(
      `/usage?account_id=acct_default&by=tool&from=${today}&compare=previous&format=csv`,
    );
    expect(plain.split('\r\n')[0]).toBe(
      'tool,requests,served,refused,failed,cost_usd,previous_requests,previous_served,' +
        'previous_refused,previous_failed,previous_cost_usd',
    );
    expect(plain.split('\r\n')).toHaveLength(5);
    const daily = await read(`/usage?account_id=acct_default&by=tool&interval=day&format=csv`);
    expect(daily).toContain(`search,${today},7,`);
    expect(await (await get('/v1/usage?by=tool&format=csv')).text()).toStartWith('tool,requests,');
    const byKey = await (await get('/v1/usage?by=key&format=csv')).text();
    expect(byKey).toMatch(/^key,key_name,requests,.*\r\nkey_\w+,[^,]+,\d/);
    const byAccount = await read('/usage?by=account&interval=day&format=csv');
    expect(byAccount).toStartWith('account,account_name,day,requests,');
    expect(byAccount).toContain(`\r\nacct_default,Default,${today},`);
  });

  test('usage is grouped by tool, by key, and by the values of a tag', async () => {
    const groups = async (by: string, key?: string) =>
      (await usage(`by=${by}`, key)).usage.map(({ group, requests }) => [group, requests]);
    expect(await groups('tool')).toEqual([
      ['extract', 1],
      ['search', 7],
      ['transcription', 2],
    ]);
    expect(await groups('tag:team')).toEqual([
      ['', 2],
      ['a', 6],
      ['b', 2],
    ]);
    expect(await groups('tag:none')).toEqual([['', 10]]);
    expect(await groups('day')).toHaveLength(1);
    expect((await groups('key')).map(([, requests]) => requests).toSorted()).toEqual([3, 7]);
    // The key for its own use only sees its own usage, whatever it asks for.
    expect(await groups('key', other.key)).toEqual([[other.id, 3]]);
    expect(await groups('tag:team', other.key)).toEqual([
      ['', 1],
      ['a', 2],
    ]);
    expect(await groups('tool', otherKey)).toEqual([]);
  });

  test('a range of dates includes both days, and a time of day counts to the moment', async () => {
    const now = Date.now();
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const time = (at: number) => new Date(at).toISOString();
    const requests = async (query: string) => (await usage(query)).total.requests;
    expect(await requests(`from=${day(now)}&to=${day(now)}`)).toBe(10);
    expect(await requests(`to=${day(now - dayMs)}`)).toBe(0);
    expect(await requests(`from=${day(now + dayMs)}`)).toBe(0);
    expect(await requests(`from=${time(now - 36 * hourMs)}&to=${time(now + 36 * hourMs)}`)).toBe(
      10,
    );
    expect(await requests(`from=${time(now - hourMs)}&to=${time(now + hourMs)}`)).toBe(10);
    expect(await requests(`from=${time(now + 1000)}`)).toBe(0);
    for (const by of ['day', 'tool', 'provider', 'key', 'tag:team']) {
      const range = `from=${time(now - hourMs)}&to=${time(now + hourMs)}`;
      const [whole, part] = [await usage(`by=${by}`), await usage(`by=${by}&${range}`)];
      expect(part).toEqual(whole);
    }
    // One request a day, at noon: moments between them split the range exactly.
    await store.database.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 9)
       insert into requests (id, account_id, key_id, tool, provider, status, warnings, cost,
         latency_ms, created_at, tags)
       select 'old_' || i, '${otherAccount}', 'k', 'search', 'p', 200, 0, 10, 1,
         (${Math.floor(now / dayMs)} - i) * cast(${dayMs} as bigint) + ${12 * hourMs}, 'team=a'
       from n`,
    );
    await store.database.run(
      `insert into usage_days (account_id, day, key_id, tool, provider, requests, failures, cost)
       select account_id, created_at / ${dayMs}, key_id, tool, provider, 1, 0, cost from requests
       where account_id = '${otherAccount}'`,
    );
    const at = (daysAgo: number, hour: number) =>
      time((Math.floor(now / dayMs) - daysAgo) * dayMs + hour * hourMs);
    const old = async (query: string) => (await usage(query, otherKey)).total;
    expect(await old('by=tool')).toMatchObject({ requests: 9, served: 9, cost_usd: 0.00009 });
    expect((await old(`from=${at(5, 11)}&to=${at(3, 13)}`)).requests).toBe(3);
    expect((await old(`from=${at(5, 13)}&to=${at(3, 13)}`)).requests).toBe(2);
    expect((await old(`from=${at(5, 13)}&to=${at(3, 11)}`)).requests).toBe(1);
    expect((await old(`from=${at(5, 12)}&to=${at(5, 12.5)}`)).requests).toBe(1);
    expect((await old(`from=${at(5, 11)}&to=${at(5, 12)}`)).requests).toBe(0);
    expect((await old(`from=${at(4, 0)}&to=${at(3, 0)}`)).requests).toBe(1);
    expect((await old(`from=${at(5, 11)}`)).requests).toBe(5);
    expect((await old(`to=${at(5, 13)}`)).requests).toBe(5);
  });

  test.each(['by=day&by=day', 'by=hour', 'from=2001-01-01T12:00:00Z', 'to=2001-01-01T12:00:00Z'])(
    '/v1/usage?%s gets a 400',
    async (query) => {
      const response = await get(`/v1/usage?${query}`);
      const refused = [400, expect.stringContaining('invalid_request')];
      expect([response.status, await response.text()]).toEqual(refused);
    },
  );

  test('jobs are listed by page and state, without their transcripts', async () => {
    const page = async (query: string, key?: string) =>
      OwnJobList.parse(await (await get(`/v1/jobs?${query}`, key)).json());
    const all = await page('');
    expect(all.jobs).toHaveLength(2);
    expect(all.next_cursor).toBeNull();
    const [newest] = all.jobs;
    const job = Job.parse(await (await get(`/v1/jobs/${newest?.id}`)).json());
    const { result, ...summary } = job;
    expect(newest).toEqual({ ...summary, cost_usd: result?.usage?.cost_usd ?? -1 });
    expect(JSON.stringify(all)).not.toContain('recordings.example');
    const first = await page('limit=1');
    const second = await page(`limit=1&cursor=${first.next_cursor}`);
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(
      all.jobs.map(({ id }) => id),
    );
    expect((await page('status=completed')).jobs).toHaveLength(2);
    expect((await page('status=failed')).jobs).toEqual([]);
    const own = await page('', other.key);
    expect(own.jobs).toHaveLength(1);
    expect((await page('', otherKey)).jobs).toEqual([]);
    const [mine, theirs] = [own.jobs[0]?.id, all.jobs.find(({ id }) => id !== own.jobs[0]?.id)?.id];
    expect((await get(`/v1/jobs/${mine}`, other.key)).status).toBe(200);
    expect((await get(`/v1/jobs/${theirs}`, other.key)).status).toBe(404);
    expect((await get(`/v1/jobs/${mine}`)).status).toBe(200);
    for (const fault of ['status=gone', 'cursor=x', 'limit=1&limit=2']) {
      expect((await get(`/v1/jobs?${fault}`)).status).toBe(400);
    }
  });

  test('operators get CSV by the same rule as callers', async () => {
    for (const [accept, isCsv] of [
      ['text/csv', true],
      ['*/*', false],
    ] as const) {
      const reports = ['/admin/v1/usage', '/admin/v1/scorecard'].map((path) => [path, adminToken]);
      for (const [path = '', key] of [['/v1/usage', gateway.key], ...reports]) {
        const { headers } = await get(path, key, { accept });
        expect(headers.get('content-type')?.startsWith('text/csv')).toBe(isCsv);
      }
    }
  });

  test('both return CSV to a client that prefers it', async () => {
    const csv = async (path: string, accept: string) => {
      const response = await get(path, gateway.key, { accept });
      return [response.headers.get('content-type'), await response.text()] as const;
    };
    const [type, text] = await csv('/v1/usage?by=tool', 'text/csv');
    expect(type).toBe('text/csv; charset=utf-8');
    expect(text).toStartWith('tool,requests,served,refused,failed,cost_usd\r\nextract,1,1,0,0,');
    const [, jobs] = await csv('/v1/jobs?limit=1', 'text/csv, application/json;q=0.5');
    expect(jobs.trimEnd().split('\r\n')).toHaveLength(2);
    expect(jobs).toStartWith('id,status,provider,');
    const first = await get('/v1/jobs?limit=1', gateway.key, { accept: 'text/csv' });
    expect(first.headers.get('x-next-cursor')).toBeString();
  });

  test('the mark of a key can be changed, and operators can group by tag', async () => {
    const changed = await gateway.admin('PATCH', `/keys/${other.id}`, { own_use_only: false });
    expect(Key.parse(await changed.json()).own_use_only).toBe(false);
    expect((await usage('by=tool', other.key)).total.requests).toBe(10);
    for (const fault of [1, 'true', null]) {
      const refused = await gateway.admin('PATCH', `/keys/${other.id}`, { own_use_only: fault });
      expect(refused.status).toBe(400);
    }
    const report = async (by: string) =>
      UsageReport.parse(
        await (await gateway.admin('GET', `/usage?account_id=acct_default&by=${by}`)).json(),
      );
    const lines = (await report('tag:team')).usage.map(({ group, requests }) => [group, requests]);
    expect(lines).toEqual([
      ['', 2],
      ['a', 6],
      ['b', 2],
    ]);
    expect((await report('tag')).usage.map(({ group }) => group)).toEqual(['run', 'team']);
  });
});
