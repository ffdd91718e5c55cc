// The request log and the sweeper, on both engines: a row for each request, and what time takes.
import { describe, expect, test } from 'bun:test';
import { system_clock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { prepareAccounts } from '../../src/services/first-start.ts';
import type { House } from '../../src/services/house.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import { sweep, sweepAtStart } from '../../src/services/sweep.ts';
import { findBalance } from '../../src/store/accounts.ts';
import { sumUsage } from '../../src/store/reports.ts';
import { found } from '../exa-upstream.ts';
import { engines } from './engines.ts';
import { loggedRow } from './logged-row.ts';
import { makeStore } from './migrated.ts';
import { eventually, openPlace } from './place.ts';
import { amountOf } from '../amount-of.ts';

const account_id = 'acct_default';
const row = loggedRow(account_id);

describe.each(engines)('on $name', (engine) => {
  test('every request leaves one row, with what it cost and why it failed', async () => {
    await using place = await openPlace(engine, '0.01');
    await place.gateway.search({}, { query: 'solar', offset: 3 });
    await place.gateway.search();
    await place.gateway.search({}, { query: '' });
    const database = await place.bench.another();
    const rows = () =>
      database.run(
        `select tool, provider, status, error_type, warnings, cost, reported_cost from requests
         order by created_at, id`,
      );
    await eventually(async () => (await rows()).length === 3);
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
       from usage_recent`,
    );
    expect(Object.values(days[0] ?? {}).map(Number)).toEqual([3, 0, 7000]);
    await database.close();
  });

  test('a report above the hold is in the log as what was charged', async () => {
    await using place = await openPlace(engine, '1');
    place.exa.answer(() => found(0.5));
    await place.gateway.search();
    const database = await place.bench.another();
    const rows = () => database.run('select cost, reported_cost from requests');
    await eventually(async () => (await rows()).length === 1);
    const [row] = await rows();
    expect([Number(row?.['cost']), Number(row?.['reported_cost'])]).toEqual([500_000, 500_000]);
    await database.close();
  });

  test('a hold that expired is released, one that did not or belongs to a job stays', async () => {
    await using store = await openHouse(engine);
    const { house } = store;
    const now = Date.now();
    const hold = { account_id, key_id: null, amount: amountOf(10) };
    await house.ledger.hold({ ...hold, id: 'lost', expires_at: now - 1 });
    await house.ledger.hold({ ...hold, id: 'running', expires_at: now + 60_000 });
    await house.ledger.hold({ ...hold, id: 'job:1', expires_at: null });
    await sweep(house);
    expect(await openHolds(house)).toEqual(['job:1', 'running']);
    expect(await findBalance(house.database, account_id)).toEqual({ posted: 1000, held: 20 });
    await sweepAtStart(house);
    expect(await openHolds(house)).toEqual(['job:1']);
  });

  test('old rows and dead keys go, and what is young stays', async () => {
    await using store = await openHouse(engine);
    const { house } = store;
    const old = Date.now() - 91 * 24 * 60 * 60 * 1000;
    for (const [id, created_at] of [
      ['req_old', old],
      ['req_new', Date.now()],
    ] as const) {
      house.ledger.record({ ...row, id, created_at });
    }
    const claim = { account_id, body_hash: 'h', owner: 'r' };
    await house.ledger.claim({ ...claim, key: 'dead', expires_at: 1 });
    await house.ledger.claim({ ...claim, key: 'alive', expires_at: Date.now() + 60_000 });
    await house.ledger.idle();
    await sweep(house);
    const requests = await house.database.run('select id from requests');
    const claims = await house.database.run('select key from idempotency');
    expect(requests.map(({ id }) => id)).toEqual(['req_new']);
    expect(claims.map(({ key }) => key)).toEqual(['alive']);
  });

  test('what was used stays the same when its hours are folded into days', async () => {
    await using store = await openHouse(engine);
    const { house } = store;
    const hour_ms = 3_600_000;
    const ages = [0, 1, 47, 49, 50, 73, 700];
    for (const [at, age] of ages.entries()) {
      const created_at = Date.now() - age * hour_ms;
      house.ledger.record({ ...row, id: `req_${at}`, created_at });
    }
    await house.ledger.idle();
    const before = await sumUsage(house.database, {}, 'day');
    await Promise.all([sweep(house), sweep(house)]);
    const recent = await house.database.run('select sum(requests) as sum from usage_recent');
    const days = await house.database.run('select sum(requests) as sum from usage_days');
    expect([recent, days].map(([sums]) => Number(sums?.['sum']))).toEqual([3, 4]);
    expect(await sumUsage(house.database, {}, 'day')).toEqual(before);
    // A cost that becomes known late opens its hour again, and the next round folds that too.
    const late = { ...row, id: 'req_late', created_at: Date.now() - 700 * hour_ms };
    house.ledger.record(late);
    await house.ledger.idle();
    await sweep(house);
    const [total] = await sumUsage(house.database, {}, 'tool');
    expect(total).toMatchObject({ group: 'search', requests: ages.length + 1 });
  });
});

async function openHouse(engine: (typeof engines)[number]) {
  const store = await makeStore(engine);
  const { database } = store;
  await prepareAccounts(database, undefined, new Date(), 0.001);
  const clock = system_clock;
  const log = makeLog('silent');
  const ledger = makeLedger({ database, clock, log });
  const settings = { request_log_days: 90 };
  const house = { database, clock, log, ledger, settings } as unknown as House;
  return { house, [Symbol.asyncDispose]: store.discard };
}

async function openHolds(house: House): Promise<unknown[]> {
  const rows = await house.database.run('select id from holds order by id');
  return rows.map(({ id }) => id);
}
