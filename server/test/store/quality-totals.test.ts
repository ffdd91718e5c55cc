// The totals of what was observed, on both engines: made once for a week and again after a change,
// equal to the votes of the accounts, by several gateways, and all that a scorecard reads.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dayMs } from '@trivium/contract/durations';
import { systemClock } from '../../src/platform/clock.ts';
import type { QualityDay } from '../../src/quality/core/quality-day.ts';
import { readScorecard, totalQuality } from '../../src/quality/index.ts';
import { claimChangedWeek, clearChange } from '../../src/quality/store/quality-days.ts';
import { addToQualityDays } from '../../src/quality/store/quality-days.ts';
import { listClassDays } from '../../src/quality/store/quality-totals.ts';
import { dayOf, mondayOf } from '../../src/requests/core/index.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { seenOn } from './observations.ts';

const setUpTimeoutMs = 60_000;
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
  }, setUpTimeoutMs);
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
