// Totals of what was observed, on both engines: made once for a week and again after a change, equal to
// the votes of the accounts, and shown by GET /admin/v1/scorecard.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dayMs } from '@trivium/contract/durations';
import { systemClock } from '../../src/platform/clock.ts';
import type { QualityDay } from '../../src/quality/core/quality-day.ts';
import { readScorecard, totalQuality } from '../../src/quality/index.ts';
import {
  addToQualityDays,
  claimChangedWeek,
  clearChange,
} from '../../src/quality/store/quality-days.ts';
import { listClassDays } from '../../src/quality/store/quality-totals.ts';
import { dayOf, mondayOf } from '../../src/requests/core/index.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { seenOn } from './observations.ts';
import { Scorecard } from '@trivium/contract';
import { addTallies, scaleVotes, votesOf } from '../../src/quality/core/tally.ts';
import { openGateway, type TestGateway } from '../gateway.ts';

const now = Date.parse('2026-11-18T12:00:00Z');
const lastWeek = mondayOf(dayOf(now)) - 7;
const seen = seenOn(lastWeek, 'de');

function clockAt(ms: number) {
  return { ...systemClock, now: () => new Date(ms), sleep: () => Promise.resolve() };
}

describe.each(engines)('on $name', (engine) => {
  let store: TestStore;

  const read = (by: 'provider' | 'language' = 'provider') =>
    readScorecard({ database: store.database, clock: clockAt(now) }, { by, weeks: 12 });
  const meanOf = async (provider: string) =>
    (await read()).lines.find((line) => line.provider === provider)?.agreement?.mean;
  const add = (days: QualityDay[]) =>
    store.database.transaction((tx) => addToQualityDays(tx, days));
  const changed = () => store.database.run('select week from quality_changes');
  const makeTotals = (later = 0, database = store.database) =>
    totalQuality({ database, clock: clockAt(now + later) });

  beforeAll(async () => {
    store = await engine.open('migrated');
  });
  afterAll(() => store.discard());

  test('every account has one vote in a week, on all searches and on those of a language', async () => {
    const french = { tool: 'search', language: 'fr', category: '', freshness: '' };
    await add([
      seen('acct_many', ['engine_a', 500, 0.9]),
      seen('acct_many', ['engine_a', 10, 0.9], { class: french }),
      seen('acct_one', ['engine_a', 10, 0.3], { day: lastWeek + 1 }),
      seen('acct_one', ['engine_a', 10, 0.3], { day: lastWeek + 6 }),
      seen('acct_two', ['engine_a', 10, 0.3], { class: french }),
    ]);
    expect(await makeTotals()).toBe(1);
    expect(await changed()).toEqual([]);
    expect(await makeTotals(3_600_000)).toBe(0);
    expect(await meanOf('engine_a')).toBe(0.5);
    const { lines } = await read('language');
    expect(lines.map(({ group, agreement, calls }) => [group, agreement?.mean, calls])).toEqual([
      // Two accounts searched in each language, and each has one vote there.
      ['de', 0.6, 520],
      ['fr', 0.6, 20],
    ]);
  });

  test('a change makes the totals of its week again, whichever gateway sees it', async () => {
    await add([seen('acct_three', ['engine_a', 50, 0.1])]);
    expect(await meanOf('engine_a')).toBe(0.5);
    const other = await store.another();
    const done = await Promise.all([makeTotals(0, other), makeTotals()]);
    await other.close();
    // One of them makes it, or both do and write the same.
    expect(Math.max(...done)).toBe(1);
    expect(await meanOf('engine_a')).toBe(0.4);
    // Feedback that is taken back leaves nothing behind.
    const said = seen('acct_three', ['engine_c', 6, 0.5], { source: 'feedback' });
    const { observations, quality, squares, calls, cost, latency_ms } = said;
    await add([said]);
    await makeTotals(60_000);
    expect((await read()).lines.at(-1)?.feedback?.mean).toBe(0.5);
    const back = { observations, quality, squares, calls, cost, latency_ms };
    const taken = Object.entries(back).map(([name, value]) => [name, -value]);
    await add([{ ...said, ...(Object.fromEntries(taken) as typeof back) }]);
    await makeTotals(120_000);
    expect((await read()).lines.at(-1)).toMatchObject({ feedback: null, calls: 0 });
  });

  test('what changes while totals are made is not lost', async () => {
    const { database } = store;
    await add([seen('acct_one', ['engine_d', 10, 0.3])]);
    const claimed = await claimChangedWeek(database, now, now - 1);
    if (!claimed) throw new Error('nothing is claimed');
    // Another gateway has it, and a crash gives it back after a while.
    expect(await makeTotals()).toBe(0);
    await add([seen('acct_one', ['engine_d', 10, 0.7])]);
    await clearChange(database, claimed);
    expect(await makeTotals(60_000)).toBe(1);
    expect(await meanOf('engine_d')).toBe(0.5);
  });

  test('a scorecard and routing read nothing else, and the running week weighs its days', async () => {
    const today = dayOf(now);
    await add([
      seen('acct_one', ['engine_e', 100, 0.2]),
      seen('acct_one', ['engine_e', 5, 1], { day: today }),
    ]);
    await makeTotals(180_000);
    await store.database.run('delete from quality_days');
    // Wednesday is the third day of seven.
    expect(await meanOf('engine_e')).toBe(Number(((0.2 + 3 / 7) / (1 + 3 / 7)).toFixed(4)));
    expect(await meanOf('engine_a')).toBe(0.4);
    const range = { from: today - 60, to: today };
    const days = await listClassDays(store.database, range);
    expect(days.filter((day) => day.engine === 'engine_e').map(({ day }) => day)).toEqual([
      ...[today, lastWeek],
    ]);
    expect(days.some(({ source }) => source === 'feedback')).toBe(false);
    const later = { database: store.database, clock: clockAt(now + 900 * dayMs) };
    expect((await readScorecard(later, { by: 'provider', weeks: 104 })).lines).toEqual([]);
  });
});

const today = dayOf(Date.now());
/** A week that is over weighs as much on every day on which the test runs. */
const weekBefore = mondayOf(today) - 7;
const seenBefore = seenOn(weekBefore);

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
      seenBefore('acct_many', ['engine_d', 30 - at, 0.5], {
        class: { tool: 'search', language: `l${at}`, category: '', freshness: '' },
      }),
    );
    await addToQualityDays(store.database, [
      seenBefore('acct_many', ['engine_a', 200, 0.9]),
      seenBefore('acct_one', ['engine_a', 20, 0.3]),
      seenBefore('acct_one', ['engine_a', 10, 0.3], { day: weekBefore - 7 }),
      seenBefore('acct_two', ['engine_a', 10, 0.3]),
      // Too few for a whole vote on quality; all of its calls count.
      seenBefore('acct_few', ['engine_a', 4, 1]),
      seenBefore('acct_now', ['engine_d', 10, 0.3], { day: today }),
      seenBefore('acct_now', ['engine_d', 10, 0.9], { day: today - 8 }),
      seenBefore('acct_one', ['engine_a', 5, 0.8], { source: 'feedback', useful: 7 }),
      seenBefore('acct_one', ['engine_c', 10, 0.4], { day: today - 400 }),
      seenBefore('acct_one', ['engine_of_a_newer_version', 10, 0.4]),
      ...languages,
    ]);
    await totalQuality({ database: store.database, clock: systemClock });
    gateway = await openGateway('http://127.0.0.1:9', store.settings);
  });

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
