// GET /admin/v1/scorecard on both engines: accounts have equal votes, one account is shown by
// itself, rows are bounded, and the table is the same figures.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Scorecard } from '@trivium/contract';
import { addTallies, scaleVotes, votesOf } from '../../src/quality/core/tally.ts';
import { totalQuality } from '../../src/quality/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { addToQualityDays } from '../../src/quality/store/quality-days.ts';
import { dayOf, mondayOf } from '../../src/requests/core/index.ts';
import { openGateway, type TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { seenOn } from './observations.ts';

const setUpTimeoutMs = 60_000;
const today = dayOf(Date.now());
/** A week that is over weighs as much on every day on which the test runs. */
const lastWeek = mondayOf(today) - 7;
const seen = seenOn(lastWeek);

describe.each(engines)('on $name', (engine) => {
  let store: TestStore;
  let gateway: TestGateway;

  const read = async (query = '') => {
    const response = await gateway.admin('GET', `/scorecard${query}`);
    return Scorecard.parse(await response.json());
  };

  beforeAll(async () => {
    store = await engine.open('migrated');
    const languages = Array.from({ length: 30 }, (_none, at) =>
      seen('acct_many', ['engine_d', 30 - at, 0.5], {
        class: { tool: 'search', language: `l${at}`, category: '', freshness: '' },
      }),
    );
    await addToQualityDays(store.database, [
      seen('acct_many', ['engine_a', 200, 0.9]),
      seen('acct_one', ['engine_a', 20, 0.3]),
      seen('acct_one', ['engine_a', 10, 0.3], { day: lastWeek - 7 }),
      seen('acct_two', ['engine_a', 10, 0.3]),
      // Too few for a whole vote on quality; all of its calls count.
      seen('acct_few', ['engine_a', 4, 1]),
      seen('acct_now', ['engine_d', 10, 0.3], { day: today }),
      seen('acct_now', ['engine_d', 10, 0.9], { day: today - 8 }),
      seen('acct_one', ['engine_a', 5, 0.8], { source: 'feedback', useful: 7 }),
      seen('acct_one', ['engine_c', 10, 0.4], { day: today - 400 }),
      seen('acct_one', ['engine_of_a_newer_version', 10, 0.4]),
      ...languages,
    ]);
    await totalQuality({ database: store.database, clock: systemClock });
    gateway = await openGateway('http://127.0.0.1:9', store.settings);
  }, setUpTimeoutMs);

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await store.discard();
  });

  test('every account has one vote on quality, however much it searched', async () => {
    const { lines, account_id } = await read();
    expect(account_id).toBeNull();
    expect(lines.map(({ provider }) => provider)).toEqual(['engine_a', 'engine_d']);
    const [first] = lines;
    const votes = [
      { n: 200, sum: 180, squares: 162 },
      { n: 20, sum: 6, squares: 1.8 },
      { n: 10, sum: 3, squares: 0.9 },
      { n: 4, sum: 4, squares: 4 },
      // Another week, in which only one account searched.
      { n: 10, sum: 3, squares: 0.9 },
    ];
    const equal = addTallies(scaleVotes(votes.map((one) => votesOf(one))));
    const mean = (0.9 + 0.3 + 0.3 + 0.8 + 0.3) / 4.8;
    expect(first?.agreement?.mean).toBe(Number(mean.toFixed(4)));
    expect(first?.agreement?.observations).toBe(Number(equal.n.toFixed(1)));
    expect(first?.agreement?.weeks.map((week) => week.mean)).toEqual([
      ...[0.3, Number((2.3 / 3.8).toFixed(4))],
    ]);
    expect(first).toMatchObject({ calls: 244, failures: 0, price_usd: 0.007, latency_ms: 300 });
    expect(first?.feedback).toMatchObject({ mean: 0.8, observations: 5 });
    expect([first?.useful, first?.useful_price_usd]).toEqual([7, 0.005]);
  });

  test('one account by itself, and only the weeks that were asked for', async () => {
    const { lines } = await read('?account_id=acct_now&weeks=1');
    expect(lines.map(({ provider, calls }) => [provider, calls])).toEqual([['engine_d', 10]]);
    expect(lines[0]?.agreement).toMatchObject({ mean: 0.3, observations: 10 });
    const few = await read('?account_id=acct_few');
    expect(few.lines[0]?.agreement).toMatchObject({ mean: 1, observations: 4 });
    expect((await read('?account_id=acct_none')).lines).toEqual([]);
  });

  test('by language there are at most twenty, those with the most observations', async () => {
    const { lines } = await read('?by=language');
    const groups = new Set(lines.map(({ group }) => group));
    expect(groups.size).toBe(20);
    expect([groups.has(''), groups.has('l0'), groups.has('l29')]).toEqual([true, true, false]);
  });

  test('as a table', async () => {
    const response = await gateway.admin('GET', '/scorecard?format=csv&account_id=acct_one');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row, end] = (await response.text()).split('\r\n');
    expect(head?.split(',').slice(0, 4)).toEqual([
      ...['provider', 'agreement_mean', 'agreement_lower', 'agreement_upper'],
    ]);
    expect(row).toStartWith('engine_a,0.3,');
    expect(end).toBe('');
  });

  test('what cannot be asked is refused, and callers have no access', async () => {
    for (const query of ['weeks=0', 'weeks=105', 'weeks=1.5', 'by=query', 'account_id=', 'x=1']) {
      expect((await gateway.admin('GET', `/scorecard?${query}`)).status).toBe(400);
    }
    expect((await gateway.ask('GET', '/admin/v1/scorecard')).status).toBe(401);
  });
});
