// Budgets in the ledger's decisions: never exceeded in any order of entries, and by day and month.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { amountOf } from '../../../test/amount-of.ts';
import { openBook, type Book } from './book.ts';
import { budgetKey } from './spending.ts';
import { decide } from './decide.ts';
import type { LedgerEntry } from './entries.ts';

const [dailyCap, monthlyCap] = [500, 700];
const now = Date.UTC(2026, 10, 17, 12);
const dayMs = 86_400_000;

function makeBook(at = now): Book {
  const book = openBook(at);
  for (const id of ['a', 'b']) book.accounts.set(id, { posted: 100_000, held: 0 });
  book.budgets.set(budgetKey({ account_id: 'a', tag: 'team', value: 'x' }), {
    budget: 'team=x',
    daily_cap: dailyCap,
    monthly_cap: monthlyCap,
    today: 0,
    this_month: 0,
    exposed_today: 0,
    exposed_this_month: 0,
  });
  return book;
}

const id = fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5');
const amount = fc.integer({ min: 0, max: 400 }).map(amountOf);
const account = fc.constantFrom('a', 'b');
const tags = fc.constantFrom(
  'team=x',
  'run=1,team=x',
  'team=x,run=2',
  'team=y',
  'xteam=x',
  'run=x',
);

const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('hold' as const),
    id,
    account_id: account,
    key_id: fc.constant('k'),
    amount,
    tags,
    expires_at: fc.constantFrom(null, now + 1000),
  }),
  fc.record({ kind: fc.constant('settle' as const), id, account_id: account, cost: amount }),
  fc.record({ kind: fc.constant('release' as const), id, account_id: account }),
  fc.record({
    kind: fc.constant('refund' as const),
    id: fc.constantFrom('r1', 'r2', 'r3'),
    account_id: account,
    hold_id: id,
    amount,
    reason: fc.constant('because'),
  }),
);

test('no order of entries exceeds a budget, and the sums are those of its tag alone', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40, size: 'max' }), (entries) => {
      const book = makeBook();
      for (const one of entries) decide(book, one);
      const days = [...book.changes.tag_days.values()];
      const own = days.filter(
        ({ account_id, tag, value }) => `${account_id} ${tag} ${value}` === 'a team x',
      );
      const used = own.reduce((sum, { spent, held }) => sum + spent + held, 0);
      expect(used).toBeLessThanOrEqual(dailyCap);
      expect(book.budgets.get(budgetKey({ account_id: 'a', tag: 'team', value: 'x' }))?.today).toBe(
        used,
      );
      const holds = [...book.holds.values()].filter(
        (hold) => hold.account_id === 'a' && hold.tags?.split(',').includes('team=x'),
      );
      const held = holds.reduce((sum, hold) => sum + hold.amount, 0);
      expect(own.reduce((sum, day) => sum + day.held, 0)).toBe(held);
    }),
  );
});

test('the tightest of the limits declines, and is named', () => {
  const book = makeBook();
  const hold = { kind: 'hold', account_id: 'a', key_id: 'k', expires_at: now + 1 } as const;
  const tagged = { ...hold, tags: 'run=1,team=x' };
  expect(decide(book, { ...tagged, id: '1', amount: amountOf(500) })).toMatchObject({
    kind: 'held',
  });
  expect(decide(book, { ...tagged, id: '2', amount: amountOf(1) })).toEqual({
    kind: 'declined',
    because: 'daily_budget',
    budget: 'team=x',
    available: 0,
  });
  expect(decide(book, { ...hold, id: '3', amount: amountOf(1) })).toMatchObject({ kind: 'held' });
});

test('what was held yesterday counts towards the month only, and last month not at all', () => {
  const book = makeBook();
  const hold = {
    id: 'old',
    account_id: 'a',
    key_id: 'k',
    expires_at: null,
    counted: false,
  } as const;
  const old = { ...hold, amount: amountOf(300), created_at: now - dayMs, tags: 'team=x' };
  book.holds.set('old', old);
  const state = book.budgets.get(budgetKey({ account_id: 'a', tag: 'team', value: 'x' }));
  Object.assign(state ?? {}, { this_month: 300 });
  decide(book, { kind: 'settle', id: 'old', account_id: 'a', cost: amountOf(200) });
  expect(state).toMatchObject({ today: 0, this_month: 200 });
  book.holds.set('older', { ...old, id: 'older', created_at: now - 30 * dayMs });
  decide(book, { kind: 'release', id: 'older', account_id: 'a' });
  expect(state).toMatchObject({ today: 0, this_month: 200 });
  const [yesterday, month] = [...book.changes.tag_days.values()];
  expect([yesterday?.spent, yesterday?.held, month?.held]).toEqual([200, -300, -300]);
});
