// The request log and its retention, on both engines: a row for each request, and what expires.
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { deleteExpired, sweep, sweepAtStart } from '../../src/app/retention.ts';
import type { Database } from '../../src/store/index.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { readRequests } from '../../src/reporting/request-log.ts';
import { writeRequests } from '../../src/requests/write-requests.ts';
import { outcomeOf } from '@trivium/contract/outcomes';
import { errorTypes } from '@trivium/contract/gateway-error';
import { sumUsage } from '../../src/requests/store/usage-sums.ts';
import { engines } from './engines.ts';
import { requestRow } from './request-row.ts';
import { makeStore } from './migrated-store.ts';
import { sharedGatewayOnStore } from './gateway-on-store.ts';
import { amountOf } from '../amount-of.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const accountId = 'acct_default';
const row = requestRow(accountId);

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('every request leaves one row, with what it cost and why it failed', async () => {
    await using fixture = await open('0.01');
    await fixture.gateway.search({}, { query: 'solar', offset: 3 });
    await fixture.gateway.search();
    await fixture.gateway.search({}, { query: '' });
    const database = await fixture.store.another();
    const rows = () =>
      database.run(
        `select tool, provider, status, error_type, warnings, cost, reported_cost from requests
         where account_id = $1 order by created_at, id`,
        [fixture.account],
      );
    await waitFor(async () => (await rows()).length === 3, { what: 'three rows are written' });
    const seen: unknown[] = (await rows()).map((row) => ({
      ...row,
      status: Number(row['status']),
      warnings: Number(row['warnings']),
      cost: Number(row['cost']),
      reported_cost: row['reported_cost'] === null ? null : Number(row['reported_cost']),
    }));
    const common = { tool: 'search', provider: 'engine_a', warnings: 0, reported_cost: null };
    expect(seen).toEqual([
      { ...common, status: 200, error_type: null, warnings: 1, cost: 7000, reported_cost: 7000 },
      { ...common, status: 402, error_type: 'insufficient_credits', cost: 0 },
      { ...common, provider: null, status: 400, error_type: 'invalid_request', cost: 0 },
    ]);
    const days = await database.run(
      `select sum(requests) as requests, sum(failures) as failures, sum(cost) as cost
       from usage_recent where account_id = $1`,
      [fixture.account],
    );
    expect(Object.values(days[0] ?? {}).map(Number)).toEqual([3, 0, 7000]);
    await database.close();
  });

  test('the filter by outcome selects the rows that show it', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const types = [null, ...errorTypes];
    const rows = [200, 202, 400, 402, 404, 429, 499, 500, 501, 502, 503].flatMap((status) =>
      types.map((error_type) => ({ ...row, id: `${status} ${error_type}`, status, error_type })),
    );
    const outcome = { kind: 'settled', cost: 0, again: false };
    await writeRequests(
      database,
      rows.map((request) => ({ request, outcome })),
      false,
    );
    const counted = { served: 0, refused: 0, failed: 0 };
    for (const known of ['served', 'refused', 'failed', 'error'] as const) {
      const found = await readRequests({ database }, { outcome: known, limit: 500 });
      const wanted = rows.filter(({ status, error_type }) => {
        const own = outcomeOf(status, error_type);
        return known === 'error' ? own !== 'served' : own === known;
      });
      const ids = found.requests.map(({ id }) => id).toSorted();
      expect(ids).toEqual(wanted.map(({ id }) => id).toSorted());
      if (known !== 'error') counted[known] = wanted.length;
    }
    const [sums] = await database.run(
      'select sum(requests) as requests, sum(refusals) as refusals, sum(failures) as failures ' +
        'from usage_recent',
    );
    const { served, refused, failed } = counted;
    expect(Object.values(sums ?? {}).map(Number)).toEqual([
      served + refused + failed,
      refused,
      failed,
    ]);
  });

  test('an expired hold is released; a current one and that of a job stay', async () => {
    await using store = await openSweepFixture(engine);
    const { context } = store;
    const now = Date.now();
    const hold = { account_id: accountId, key_id: null, amount: amountOf(10) };
    await context.ledger.hold({ ...hold, id: 'lost', expires_at: now - 1 });
    await context.ledger.hold({ ...hold, id: 'running', expires_at: now + 60_000 });
    await context.ledger.hold({ ...hold, id: 'job:1', expires_at: null });
    await sweep(context);
    expect(await openHolds(context)).toEqual(['job:1', 'running']);
    expect(await findBalance(context.database, accountId)).toEqual({ posted: 1000, held: 20 });
    await sweepAtStart(context);
    expect(await openHolds(context)).toEqual(['job:1']);
  });

  test('a row that is logged twice counts once, and no other row is lost', async () => {
    await using store = await openSweepFixture(engine);
    const { database, ledger } = store.context;
    const ids = Array.from({ length: 1300 }, (_, at) => `req_${at}`);
    for (const id of [...ids, 'req_7', 'req_1299']) {
      ledger.record({ ...row, id, created_at: Date.now() });
    }
    await ledger.idle();
    ledger.record({ ...row, id: 'req_8', created_at: Date.now() });
    ledger.record({ ...row, id: 'req_last', created_at: Date.now() });
    await ledger.idle();
    const [logged] = await database.run('select count(*) as count from requests');
    expect(Number(logged?.['count'])).toBe(ids.length + 1);
    const [total] = await sumUsage(database, {}, 'tool');
    expect(total).toMatchObject({ requests: ids.length + 1 });
  });

  test('usage stays the same when hours are folded into days', async () => {
    await using store = await openSweepFixture(engine);
    const { context } = store;
    const hourMs = 3_600_000;
    const ages = [0, 1, 47, 49, 50, 73, 700];
    for (const [at, age] of ages.entries()) {
      const createdAt = Date.now() - age * hourMs;
      context.ledger.record({ ...row, id: `req_${at}`, created_at: createdAt });
    }
    await context.ledger.idle();
    const before = await sumUsage(context.database, {}, 'day');
    await Promise.all([deleteExpired(context), deleteExpired(context)]);
    const recent = await context.database.run('select sum(requests) as sum from usage_recent');
    const days = await context.database.run('select sum(requests) as sum from usage_days');
    expect([recent, days].map(([sums]) => Number(sums?.['sum']))).toEqual([3, 4]);
    expect(await sumUsage(context.database, {}, 'day')).toEqual(before);
    // A late row opens its hour again, and the next round folds that too.
    const late = { ...row, id: 'req_late', created_at: Date.now() - 700 * hourMs };
    context.ledger.record(late);
    await context.ledger.idle();
    await deleteExpired(context);
    const [total] = await sumUsage(context.database, {}, 'tool');
    expect(total).toMatchObject({ group: 'search', requests: ages.length + 1 });
  });
});

async function openSweepFixture(engine: (typeof engines)[number]) {
  const store = await makeStore(engine);
  const { database } = store;
  await prepareAccounts(database, undefined, new Date(), 0.001);
  const clock = systemClock;
  const log = makeLog('silent');
  const ledger = makeLedger({ database, clock, log });
  const settings = {
    request_log_days: 90,
    cache_keep_hours: 1,
    webhook_log_days: 30,
    audit_log_days: 365,
  };
  const context = { database, clock, log, ledger, settings };
  return { context, [Symbol.asyncDispose]: store.discard };
}

async function openHolds(context: { database: Database }): Promise<unknown[]> {
  const rows = await context.database.run('select id from holds order by id');
  return rows.map(({ id }) => id);
}
