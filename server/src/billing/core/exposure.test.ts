// What open jobs can cost beyond their holds: whatever they turn out to cost within their worst
// case, no balance falls below the overdraft limit, and no cap or budget is passed.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { amountOf } from '../../../test/amount-of.ts';
import { openBook, type Book, type KeyState } from './book.ts';
import { decide } from './decide.ts';
import type { LedgerOutcome } from './entries.ts';
import { budgetKey } from './spending.ts';

const now = Date.UTC(2026, 10, 17, 12);
const caps = { daily_cap: 900, monthly_cap: 1000 };

function bookOf(posted: number): Book {
  const book = openBook(now);
  book.accounts.set('a', { posted, held: 0 });
  const nothing = { today: 0, this_month: 0, exposed_today: 0, exposed_this_month: 0 };
  const state: KeyState = {
    ...caps,
    ...nothing,
    daily_cap_reached: null,
    monthly_cap_reached: null,
  };
  book.keys.set('capped', state);
  book.budgets.set(budgetKey({ account_id: 'a', tag: 'team', value: 'x' }), {
    budget: 'team=x',
    ...caps,
    ...nothing,
  });
  return book;
}

interface Asked {
  hold: number;
  worst: number;
  overdraft: number;
  key?: string | null;
  tags?: string;
}

function job(book: Book, id: string, { hold, worst, overdraft, key = null, tags }: Asked) {
  return decide(book, {
    kind: 'hold',
    id,
    account_id: 'a',
    key_id: key,
    amount: amountOf(hold),
    worst_case: amountOf(worst),
    overdraft: amountOf(overdraft),
    expires_at: null,
    ...(tags === undefined ? {} : { tags }),
  });
}

function end(book: Book, id: string, cost: number): LedgerOutcome {
  return decide(book, {
    kind: 'settle',
    id,
    account_id: 'a',
    cost: amountOf(cost),
    may_exceed: true,
  });
}

test('the hold is made in full or not at all', () => {
  const book = bookOf(99);
  const asked = { hold: 100, worst: 100, overdraft: 5000 };
  expect(job(book, 'j1', asked)).toEqual({ kind: 'declined', because: 'balance', available: 99 });
  decide(book, { kind: 'topup', id: 't', account_id: 'a', amount: 1, reason: '' });
  expect(job(book, 'j1', asked)).toMatchObject({ kind: 'held', amount: 100 });
});

test('open jobs are accepted up to the balance and the overdraft limit, and not one beyond', () => {
  const book = bookOf(260);
  const asked = { hold: 21, worst: 210, overdraft: 500 };
  expect(job(book, 'j1', asked).kind).toBe('held');
  expect(job(book, 'j2', asked).kind).toBe('held');
  expect(job(book, 'j3', asked).kind).toBe('held');
  expect(job(book, 'j4', asked)).toEqual({
    kind: 'declined',
    because: 'exposure',
    available: 260 - 3 * 21,
    exposed: 3 * 189,
    overdraft: 500,
  });
  // A repeated entry is not counted again, and an ended job makes room.
  expect(job(book, 'j1', asked)).toMatchObject({ kind: 'held', again: true });
  expect(end(book, 'j1', 1)).toMatchObject({ cost: 1 });
  expect(job(book, 'j4', asked).kind).toBe('held');
  decide(book, { kind: 'release', id: 'j2', account_id: 'a' });
  expect(job(book, 'j5', asked).kind).toBe('held');
});

test('a search looks only at what is available', () => {
  const book = bookOf(100);
  expect(job(book, 'j', { hold: 10, worst: 100, overdraft: 0 }).kind).toBe('held');
  const search = { kind: 'hold', id: 's', account_id: 'a', key_id: null, expires_at: now } as const;
  expect(decide(book, { ...search, amount: amountOf(91) }).kind).toBe('declined');
  expect(decide(book, { ...search, amount: amountOf(90) }).kind).toBe('held');
});

test('a cap that only the worst case passes is not announced as reached', () => {
  const book = bookOf(10_000);
  const asked = { hold: 10, worst: 901, overdraft: 0, key: 'capped' };
  expect(job(book, 'j', asked)).toMatchObject({ because: 'daily_cap', available: 900 });
  expect(book.changes.caps_reached).toEqual([]);
  const held = { ...asked, hold: 901 };
  expect(job(book, 'j', held)).toMatchObject({ because: 'daily_cap' });
  expect(book.changes.caps_reached).toHaveLength(1);
});

test('the end of a job of last month changes nothing in the caps of this month', () => {
  const book = bookOf(1000);
  job(book, 'old', { hold: 10, worst: 100, overdraft: 0, key: 'capped' });
  const state = book.keys.get('capped');
  expect(state).toMatchObject({ exposed_today: 90, exposed_this_month: 90 });
  book.now = Date.UTC(2026, 11, 1);
  const nothing = { exposed_today: 0, exposed_this_month: 0 };
  if (state) Object.assign(state, nothing);
  end(book, 'old', 50);
  expect(state).toMatchObject(nothing);
});

test('an entry that holds more than its worst case is refused', () => {
  expect(() => job(bookOf(100), 'j', { hold: 2, worst: 1, overdraft: 0 })).toThrow('holds more');
});

const step = fc.record({
  kind: fc.constantFrom('begin', 'begin', 'begin', 'end', 'fail', 'topup'),
  at: fc.nat({ max: 19 }),
  hold: fc.nat({ max: 120 }),
  extra: fc.nat({ max: 700 }),
  /** How much of the worst case it costs, in per cent. */
  share: fc.nat({ max: 100 }),
  key: fc.constantFrom('capped', 'other', null),
  tags: fc.constantFrom(undefined, 'team=x', 'run=1,team=x', 'team=y'),
});

test('no job within its worst case takes a balance, a cap or a budget beyond its limit', () => {
  const property = fc.property(
    fc.nat({ max: 2000 }),
    fc.nat({ max: 600 }),
    fc.array(step, { maxLength: 60, size: 'max' }),
    (posted, overdraft, steps) => {
      const book = bookOf(posted);
      const open = new Map<string, { worst: number; key: string | null; tags?: string }>();
      const spent = { capped: 0, team: 0 };
      for (const [at, one] of steps.entries()) {
        const { kind, hold, extra, key, tags } = one;
        const worst = hold + extra;
        const asked = { hold, worst, overdraft, key, ...(tags === undefined ? {} : { tags }) };
        const [id, known] = [...open].at(one.at % Math.max(1, open.size)) ?? [];
        if (kind === 'begin' && job(book, `j${at}`, asked).kind === 'held') {
          open.set(`j${at}`, asked);
        } else if (kind === 'topup') {
          const given = { account_id: 'a', amount: extra, reason: '' };
          decide(book, { kind: 'topup', id: `t${at}`, ...given });
        } else if (id !== undefined && known && kind === 'fail') {
          decide(book, { kind: 'release', id, account_id: 'a' });
          open.delete(id);
        } else if (id !== undefined && known && kind === 'end') {
          const cost = Math.floor((known.worst * one.share) / 100);
          end(book, id, cost);
          open.delete(id);
          if (known.key === 'capped') spent.capped += cost;
          if (known.tags?.includes('team=x')) spent.team += cost;
        }
        expect(book.accounts.get('a')?.posted).toBeGreaterThanOrEqual(-overdraft);
        expect(spent.capped).toBeLessThanOrEqual(caps.daily_cap);
        expect(spent.team).toBeLessThanOrEqual(caps.daily_cap);
      }
      // All that is still open may cost its worst case at once.
      for (const [id, { worst }] of open) end(book, id, worst);
      expect(book.accounts.get('a')?.posted).toBeGreaterThanOrEqual(-overdraft);
      expect(book.exposed.get('a') ?? 0).toBe(0);
      expect(book.keys.get('capped')).toMatchObject({ exposed_today: 0, exposed_this_month: 0 });
    },
  );
  fc.assert(property, { numRuns: 3000 });
});
