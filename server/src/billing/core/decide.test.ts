// Properties of the ledger's decisions: the sums hold in any order, and nothing is charged twice.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { openBook, type Book } from './book.ts';
import { canMove, decide } from './decide.ts';
import type { LedgerOutcome, LedgerEntry } from './entries.ts';
import { amountOf } from '../../../test/amount-of.ts';

const accountIds = ['a', 'b'];
const keyIds = ['k', 'capped'];
const dailyCap = 500;

const amount = fc.integer({ min: 0, max: 400 }).map(amountOf);
const accountId = fc.constantFrom(...accountIds);
const holdId = fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5');
const lineId = fc.constantFrom('t1', 't2', 't3');
const reason = fc.constant('because');

const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('hold' as const),
    id: holdId,
    account_id: accountId,
    key_id: fc.constantFrom(null, ...keyIds),
    amount,
    expires_at: fc.constantFrom(null, 100),
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    id: holdId,
    account_id: accountId,
    cost: amount,
    may_exceed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('release' as const), id: holdId, account_id: accountId }),
  fc.record({
    kind: fc.constant('topup' as const),
    id: lineId,
    account_id: accountId,
    amount,
    reason,
  }),
  fc.record({
    kind: fc.constant('adjust' as const),
    id: lineId,
    account_id: accountId,
    amount: fc.integer({ min: -300, max: 300 }),
    reason,
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    id: lineId,
    account_id: accountId,
    hold_id: holdId,
    amount,
    reason,
  }),
);

const entries = fc.array(entry, { maxLength: 60, size: 'max' });

test('balances are the sum of transfers, and what is held is the sum of open holds', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const book = makeBook();
      for (const one of list) decide(book, one);
      for (const id of accountIds) {
        const lines = book.changes.transfers.filter((line) => line.account_id === id);
        const open = [...book.holds.values()].filter((hold) => hold.account_id === id);
        expect(book.accounts.get(id)).toEqual({
          posted: 1000 + sum(lines.map((line) => line.amount)),
          held: sum(open.map((hold) => hold.amount)),
        });
      }
    }),
  );
});

test('an entry with an invalid amount is rejected, and the book does not change', () => {
  const hostile = fc.constantFrom(-1, 0.5, 10.000_01, 1e308, 2 ** 53, NaN, Infinity, -1e15);
  fc.assert(
    fc.property(entries, entry, hostile, (list, one, figure) => {
      const book = makeBook();
      for (const before of list) decide(book, before);
      const [accounts, lines] = [structuredClone(book.accounts), book.changes.transfers.length];
      // An adjustment may be negative; everything else may not.
      if (one.kind === 'release' || (one.kind === 'adjust' && figure === -1)) return;
      const changed = {
        ...one,
        ...(one.kind === 'settle' ? { cost: figure } : { amount: figure }),
      };
      expect(() => decide(book, changed as LedgerEntry)).toThrow('micro-USD');
      expect(book.accounts).toEqual(accounts);
      expect(book.changes.transfers.length).toBe(lines);
    }),
  );
});

test('no transfer is written twice, and no hold is paid twice', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const book = makeBook();
      for (const one of list) decide(book, one);
      const ids = book.changes.transfers.map((line) => line.id);
      expect(new Set(ids).size).toBe(ids.length);
      const settled = book.changes.transfers.filter(({ kind }) => kind === 'settle');
      for (const { id, hold_id } of settled) {
        expect(id).toBe(String(hold_id));
        expect(book.holds.has(id)).toBe(false);
        const lines = book.changes.transfers.filter((line) => line.hold_id === id);
        expect(0 - sum(lines.map((line) => line.amount))).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('a hold never exceeds the balance, and only a settle above its hold causes a debt', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const book = makeBook();
      let mayOwe = false;
      for (const one of list) {
        const before = free(book, one.account_id);
        const outcome = decide(book, one);
        if (outcome.kind === 'held' && !outcome.again) {
          expect(outcome.amount).toBeLessThanOrEqual(before);
        }
        mayOwe ||= one.kind === 'settle' && one.may_exceed === true;
        if (!mayOwe) expect(free(book, one.account_id)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('a repeated entry has the same outcome and moves money once', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const once = makeBook();
      const twice = makeBook();
      for (const one of list) {
        const first = decide(once, one);
        expect(plain(decide(twice, one))).toEqual(plain(first));
        const movable = canMove(twice, one);
        const again = decide(twice, one);
        if ('again' in first) {
          expect(movable).toBe(false);
          // A released hold leaves no row.
          if (one.kind === 'release') expect(again).toEqual({ kind: 'closed' });
          else expect(again).toHaveProperty('again', true);
        }
      }
      expect(twice.accounts).toEqual(once.accounts);
      expect(twice.changes.transfers).toEqual(once.changes.transfers);
    }),
  );
});

test('a key never holds and spends more than its cap', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const book = makeBook();
      for (const one of list)
        decide(book, one.kind === 'settle' ? { ...one, may_exceed: false } : one);
      const days = [...book.changes.key_days.values()].filter(({ key_id }) => key_id === 'capped');
      const used = sum(days.map((day) => day.spent + day.held));
      expect(used).toBeLessThanOrEqual(dailyCap);
      expect(book.keys.get('capped')?.today).toBe(used);
    }),
  );
});

test('a sweep releases a hold from the moment at which it expires', () => {
  const book = makeBook();
  const one = { id: 'h', account_id: 'a' };
  decide(book, { kind: 'hold', ...one, key_id: null, amount: amountOf(10), expires_at: 100 });
  const release = (due: number) => decide(book, { kind: 'release', ...one, only_if_due_at: due });
  expect([release(99).kind, release(100).kind]).toEqual(['closed', 'released']);
});

test('for a key without a cap only spending is counted; a job counts holds as well', () => {
  const book = makeBook();
  const hold = {
    kind: 'hold',
    account_id: 'a',
    key_id: 'free',
    uncapped: true,
    amount: amountOf(10),
  } as const;
  decide(book, { ...hold, id: 'request', expires_at: book.now + 1000 });
  decide(book, { ...hold, id: 'job', expires_at: null });
  const seen = () =>
    [...book.changes.key_days.values()].map(({ spent, held }) => ({ spent, held }));
  expect(seen()).toEqual([{ spent: 0, held: 10 }]);
  decide(book, { kind: 'settle', id: 'request', account_id: 'a', cost: amountOf(7) });
  expect(seen()).toEqual([{ spent: 7, held: 10 }]);
  decide(book, { kind: 'release', id: 'job', account_id: 'a' });
  expect(seen()).toEqual([{ spent: 7, held: 0 }]);
});

function makeBook(): Book {
  const book = openBook(1_800_000_000_000);
  for (const id of accountIds) book.accounts.set(id, { posted: 1000, held: 0 });
  book.keys.set('capped', {
    daily_cap: dailyCap,
    monthly_cap: null,
    today: 0,
    this_month: 0,
    exposed_today: 0,
    exposed_this_month: 0,
    daily_cap_reached: null,
    monthly_cap_reached: null,
  });
  return book;
}

function free(book: Book, id: string): number {
  const account = book.accounts.get(id);
  return (account?.posted ?? 0) - (account?.held ?? 0);
}

function plain(outcome: LedgerOutcome): object {
  return { ...outcome, again: undefined };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}
