// Tags of requests on both engines: checked where they enter, shown in the log, in exports and in usage,
// and folded or deleted in time, while what is kept stays exact.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ErrorEnvelope, RequestLine, RequestList } from '@trivium/contract';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { setBudget } from '../../src/accounts/budgets.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { deleteExpired } from '../../src/app/retention.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readOwnUsage, readUsage } from '../../src/requests/usage.ts';
import { amountOf } from '../amount-of.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

describe.each(engines)('on $name', (engine) => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '5');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const admin = (path: string) => fixture.gateway.admin('GET', path);
  const lineOf = async (response: Response) => {
    const id = response.headers.get('x-request-id') ?? '';
    await waitFor(async () => (await admin(`/requests/${id}`)).status === 200, {
      what: 'the details are written',
    });
    return RequestLine.parse(await (await admin(`/requests/${id}`)).json());
  };

  test('a header that is not a list of tags gets a 400 for every tool, and costs nothing', async () => {
    const paid = async () => (await fixture.gateway.ask('GET', '/v1/balance')).text();
    const before = [fixture.exa.calls(), await paid()];
    const bodies = {
      '/v1/search': { query: 'solar' },
      '/v1/extract': { urls: ['https://example.org/'] },
      '/v1/transcriptions': { audio_url: 'https://example.org/a.wav' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const headers = { 'x-trivium-tags': 'team' };
      const response = await fixture.gateway.ask('POST', path, { body, headers });
      const { error } = ErrorEnvelope.parse(await response.json());
      expect([response.status, error.type]).toEqual([400, 'invalid_request']);
      expect(error.detail).toMatchObject({ issues: [{ path: 'x-trivium-tags' }] });
    }
    expect([fixture.exa.calls(), await paid()]).toEqual(before);
  });

  test('lines of a repeated header are one list', async () => {
    const sent = new Headers({ authorization: `Bearer ${fixture.gateway.key}` });
    sent.set('content-type', 'application/json');
    sent.append('x-trivium-tags', 'team=search');
    sent.append('x-trivium-tags', 'run=42, step=1');
    const body = JSON.stringify({ query: 'solar' });
    const url = `${fixture.gateway.url}/v1/search`;
    const response = await fetch(url, { method: 'POST', headers: sent, body });
    expect((await lineOf(response)).tags).toEqual({ team: 'search', run: '42', step: '1' });
  });

  test('an inherited name is a name like any other', async () => {
    const response = await fixture.gateway.search({ 'x-trivium-tags': '__proto__=x' });
    const id = response.headers.get('x-request-id') ?? '';
    const text = await (await admin(`/requests/${id}`)).text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('{"__proto__":"x"}')]);
  });

  test('the log is filtered by a tag and its value, and the export has the tags', async () => {
    await fixture.gateway.search({ 'x-trivium-tags': 'project=solar,under_score=1' });
    await fixture.gateway.search({ 'x-trivium-tags': 'project=wind,underXscore=1' });
    const tagsBy = async (tag: string) => {
      const answer = await admin(`/requests?tag=${tag}`);
      const { requests } = RequestList.parse(await answer.json());
      return requests.map(({ tags }) => tags['project']);
    };
    expect(await tagsBy('project')).toEqual(['wind', 'solar']);
    expect(await tagsBy('project=solar')).toEqual(['solar']);
    expect(await tagsBy('project=sol')).toEqual([]);
    expect(await tagsBy('roject=solar')).toEqual([]);
    expect(await tagsBy('under_score=1')).toEqual(['solar']);
    const csv = await (await admin('/requests/export?format=csv&tag=project=solar')).text();
    expect(csv).toContain(',"project=solar,under_score=1",');
  });

  test('the drop-in APIs and agents pass the tags on', async () => {
    const headers = { 'x-trivium-tags': 'via=drop-in', 'x-trivium-provider': 'engine_a' };
    const body = { query: 'solar' };
    const dropIn = await fixture.gateway.ask('POST', '/compat/tavily/search', { headers, body });
    expect([dropIn.status, (await lineOf(dropIn)).tags]).toEqual([200, { via: 'drop-in' }]);
    const refused = await fixture.gateway.ask('POST', '/compat/tavily/search', {
      headers: { ...headers, 'x-trivium-tags': 'via' },
      body,
    });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('x-trivium-tags'),
    ]);
    const params = { name: 'search', arguments: { query: 'solar', provider: 'engine_a' } };
    const agent = await fixture.gateway.ask('POST', '/mcp', {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        'x-trivium-tags': 'via=agent',
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    expect([agent.status, await agent.text()]).toEqual([200, expect.stringContaining('engine_a')]);
    const { requests } = RequestList.parse(await (await admin('/requests?tag=via=agent')).json());
    expect(requests.map(({ tags }) => tags)).toEqual([{ via: 'agent' }]);
  });

  test('a replay is free whatever its tags, and is logged with its own', async () => {
    const once = { 'idempotency-key': 'tagged-once' };
    const first = await fixture.gateway.search({ ...once, 'x-trivium-tags': 'try=1' });
    const again = await fixture.gateway.search({ ...once, 'x-trivium-tags': 'try=2' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const line = await lineOf(again);
    expect([line.tags, line.cost_usd]).toEqual([{ try: '2' }, 0]);
    expect(line.replay_of).toBe(first.headers.get('x-request-id'));
  });

  test('usage by tag equals what the ledger charged', async () => {
    const lines = [];
    for (const value of ['one', 'two']) {
      const tags = { 'x-trivium-tags': `billed=${value},run=${value}` };
      lines.push(await lineOf(await fixture.gateway.search(tags)));
    }
    // Its answer waits until everything is booked.
    await admin('/transfers');
    const { database } = fixture.store;
    const [charged] = await database.run(
      `select coalesce(sum(0 - amount), 0) as sum from transfers
       where kind = 'settle' and tags like '%billed=%'`,
    );
    const [used] = await database.run(
      `select sum(cost) as sum, sum(requests) as requests from usage_tags where tag = 'billed'`,
    );
    const cost = lines.reduce((sum, { cost_usd }) => sum + Math.round(cost_usd * 1e6), 0);
    expect(cost).toBeGreaterThan(0);
    expect([Number(used?.['sum']), Number(used?.['requests'])]).toEqual([cost, 2]);
    expect(Number(charged?.['sum'])).toBe(cost);
  });
});

const accountId = 'acct_default';
const caller = { account_id: accountId, key_id: 'key_1' };
const dayMs = 86_400_000;
const today = Date.parse('2026-11-17T10:00:00Z');
const usd = 1_000_000;

describe.each(engines)('on $name', (engine) => {
  test('tags are kept as long as the request log, and no sum of that time changes', async () => {
    await using fixture = await openFixture(engine);
    const { database } = fixture.context;
    // `run` has many values, like the tag of a program that counts its runs.
    await fixture.budget('team', 'search');
    for (const age of [400, 200, 120, 91]) {
      for (let run = 0; run < 15; run += 1)
        await fixture.spend(age, `team=search,run=${age}.${run}`);
    }
    for (const age of [90, 89, 40, 1, 0]) await fixture.spend(age, `team=search,run=${age}`);
    await fixture.spend(0);
    const range = { from: '2026-08-19', to: '2026-11-17' };
    const reports = () =>
      Promise.all(
        ['tag:team', 'tag:run', 'day', 'tool'].map((by) =>
          readOwnUsage(fixture.context, caller, { by, ...range }),
        ),
      );
    const before = await reports();
    expect(before.map(({ total }) => total.requests)).toEqual([6, 6, 6, 6]);
    await deleteExpired(fixture.context);
    expect(await reports()).toEqual(before);
    // The total of all time is kept indefinitely; the tags of old days are not.
    const all = await readOwnUsage(fixture.context, caller, { by: 'tag:team' });
    expect(all.total).toMatchObject({ requests: 66, cost_usd: 66 });
    expect(all.usage.map(({ group, requests }) => [group, requests])).toEqual([
      ['', 61],
      ['search', 5],
    ]);
    const named = await readUsage(fixture.context, { account_id: accountId, by: 'tag' });
    expect(named.usage.map(({ group, requests }) => [group, requests])).toEqual([
      ['run', 5],
      ['team', 5],
    ]);
    // One row has the old days of the value with a budget; those of the other values are deleted.
    const rows = async (table: string) => Number((await database.run(countOf(table)))[0]?.['rows']);
    expect([await rows('usage_tags'), await rows('tag_days')]).toEqual([11, 11]);
    expect((await auditLedger(database)).violations).toEqual([]);
    const [budget] = await database.run(
      `select sum(spent) as spent from tag_days where tag = 'team' and value = 'search'`,
    );
    expect(Number(budget?.['spent'])).toBe(65 * usd);
  });

  test('a budget for a value whose old rows are deleted counts this month, and the audit passes', async () => {
    await using fixture = await openFixture(engine, 1);
    const { context } = fixture;
    for (const age of [60, 30, 10, 3, 0]) await fixture.spend(age, 'run=7');
    await deleteExpired(context);
    // With a log of one day, the days of this month stay.
    expect(await fixture.budget('run', '7')).toMatchObject({ today_usd: 1, this_month_usd: 3 });
    expect((await auditLedger(context.database)).violations).toEqual([]);
    await fixture.spend(0, 'run=7');
    await deleteExpired(context);
    expect((await auditLedger(context.database)).violations).toEqual([]);
    // More than the ledger has charged is still found.
    await context.database.run(`update tag_days set spent = spent + 9000000 where tag = 'run'`);
    expect((await auditLedger(context.database)).violations.join()).toContain('run=7');
  });

  test('the day of an open hold stays until the hold is settled', async () => {
    await using fixture = await openFixture(engine);
    const { context } = fixture;
    const settle = await fixture.hold(120, 'run=8');
    await deleteExpired(context);
    await fixture.budget('run', '8');
    expect((await auditLedger(context.database)).violations).toEqual([]);
    await settle();
    await deleteExpired(context);
    expect((await auditLedger(context.database)).violations).toEqual([]);
    const held = await context.database.run('select day, held from tag_days');
    expect(held.map((row) => [Number(row['day']), Number(row['held'])])).toEqual([[0, 0]]);
  });
});

function countOf(table: string): string {
  return `select count(*) as rows from ${table}`;
}

async function openFixture(engine: (typeof engines)[number], logDays = 90) {
  const store = await makeStore(engine);
  const { database } = store;
  let now = today;
  const clock = { ...systemClock, now: () => new Date(now) };
  const log = makeLog('silent');
  await prepareAccounts(database, undefined, new Date(0), 1000);
  const ledger = makeLedger({ database, clock, log });
  await ledger.open();
  const settings = {
    request_log_days: logDays,
    cache_keep_hours: 1,
    webhook_log_days: 30,
    audit_log_days: 365,
  };
  const context = { database, clock, log, ledger, settings };
  let requests = 0;
  const at = async <T>(age: number, work: () => Promise<T>): Promise<T> => {
    now = today - age * dayMs;
    try {
      return await work();
    } finally {
      now = today;
    }
  };
  /** Holds and settles in the store, as a request with a cap or a job does. */
  const hold = async (age: number, tags?: string) => {
    const id = `req_${(requests += 1)}`;
    const createdAt = today - age * dayMs;
    const tagged = tags === undefined ? {} : { tags };
    await at(age, async () =>
      ledger.hold({ ...caller, ...tagged, id, amount: amountOf(usd), expires_at: today + dayMs }),
    );
    return async () => {
      const served = { paid_by: 'settle', delivered: 1 } as const;
      const request = { ...requestRow(accountId), id, created_at: createdAt, ...served, ...tagged };
      await ledger.settle({ id, account_id: accountId, cost: amountOf(usd) }, { request });
      await ledger.idle();
    };
  };
  return {
    context,
    hold,
    spend: async (age: number, tags?: string) => {
      const settle = await hold(age, tags);
      await at(age, settle);
    },
    budget: (tag: string, value: string) =>
      setBudget(context, bootstrap, accountId, {
        tag,
        value,
        daily_cap_usd: null,
        monthly_cap_usd: 1000,
      }),
    [Symbol.asyncDispose]: async () => {
      await ledger.close();
      await store.discard();
    },
  };
}
