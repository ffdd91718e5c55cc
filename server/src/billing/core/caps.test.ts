// Caps and low balances: each is announced once, where the money moves.
import { expect, test } from 'bun:test';
import { amountOf } from '../../../test/amount-of.ts';
import { openBook, type Book, type KeyState } from './book.ts';
import { decide } from './decide.ts';

const now = Date.UTC(2026, 10, 16, 12);

function bookOf(key: Partial<KeyState> = {}, posted = 1000, low = 0): Book {
  const book = openBook(now);
  book.accounts.set('a', { posted, held: 0, low_balance: low });
  book.keys.set('k', {
    daily_cap: 100,
    monthly_cap: null,
    today: 0,
    this_month: 0,
    exposed_today: 0,
    exposed_this_month: 0,
    daily_cap_reached: null,
    monthly_cap_reached: null,
    ...key,
  });
  return book;
}

function hold(book: Book, id: string, amount: number) {
  const who = { account_id: 'a', key_id: 'k', expires_at: now + 1 };
  return decide(book, { kind: 'hold', id, ...who, amount: amountOf(amount) });
}

const settle = (book: Book, id: string, cost: number) =>
  decide(book, { kind: 'settle', id, account_id: 'a', cost: amountOf(cost) });

test('a cap that refuses a request is announced once', () => {
  const book = bookOf({ today: 60, this_month: 60 });
  for (const id of ['one', 'two']) expect(hold(book, id, 50)).toMatchObject({ kind: 'declined' });
  expect(book.changes.caps_reached).toEqual([
    {
      account_id: 'a',
      key_id: 'k',
      kind: 'daily',
      cap: 100,
      spent: 60,
      period: '2026-11-16',
    },
  ]);
  expect(book.keys.get('k')?.daily_cap_reached).toBe('2026-11-16 100');
});

test('a cap that was announced today is not announced again, until it is raised', () => {
  const told = { daily_cap_reached: '2026-11-16 100', today: 100, this_month: 100 };
  const same = bookOf(told);
  hold(same, 'one', 50);
  expect(same.changes.caps_reached).toEqual([]);
  for (const other of [
    { ...told, daily_cap: 120 },
    { ...told, daily_cap_reached: '2026-11-15 100' },
  ]) {
    const book = bookOf(other);
    hold(book, 'one', 50);
    expect(book.changes.caps_reached).toHaveLength(1);
  }
});

test('a cap that a settlement uses up is announced, and one below it is not', () => {
  for (const [cost, announced] of [
    [99, 0],
    [100, 1],
  ] as const) {
    const book = bookOf();
    hold(book, 'one', 100);
    expect(book.changes.caps_reached).toEqual([]);
    settle(book, 'one', cost);
    expect(book.changes.caps_reached).toHaveLength(announced);
  }
});

test('the caps of a day and of a month are announced on their own', () => {
  const book = bookOf({ monthly_cap: 100 });
  hold(book, 'one', 100);
  settle(book, 'one', 100);
  const reached = book.changes.caps_reached.map(({ kind, period }) => [kind, period]);
  expect(reached).toEqual([
    ['daily', '2026-11-16'],
    ['monthly', '2026-11-01'],
  ]);
});

test('a request that the balance refuses announces no cap', () => {
  const book = bookOf({ daily_cap: null }, 10);
  expect(hold(book, 'one', 50)).toMatchObject({ because: 'balance' });
  expect(book.changes.caps_reached).toEqual([]);
});

test('a balance is low when a charge takes it below its threshold, and not before', () => {
  const book = bookOf({ daily_cap: null }, 1000, 900);
  hold(book, 'one', 500);
  settle(book, 'one', 100);
  expect([...book.changes.low_accounts]).toEqual([]);
  hold(book, 'two', 500);
  settle(book, 'two', 1);
  expect([...book.changes.low_accounts]).toEqual(['a']);
});

test('a balance that was low already, or that only a hold reduces, is no news', () => {
  const low = bookOf({ daily_cap: null }, 800, 900);
  hold(low, 'one', 500);
  settle(low, 'one', 100);
  expect(low.changes.low_accounts.size).toBe(0);
  const held = bookOf({ daily_cap: null }, 1000, 900);
  hold(held, 'one', 500);
  expect(held.changes.low_accounts.size).toBe(0);
});

test('within one batch a top-up and a charge are seen one after the other', () => {
  const book = bookOf({ daily_cap: null }, 800, 900);
  decide(book, { kind: 'topup', id: 't', account_id: 'a', amount: 150, reason: 'x' });
  hold(book, 'one', 100);
  settle(book, 'one', 100);
  expect([...book.changes.low_accounts]).toEqual(['a']);
});
