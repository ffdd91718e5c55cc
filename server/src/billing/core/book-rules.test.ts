// The rules of money: each change of a batch that would break one is found.
import { describe, expect, test } from 'bun:test';
import { amountOf } from '../../../test/amount-of.ts';
import { checkBook, readBrokenRule } from './book-rules.ts';
import { type Book, openBook, type Transfer } from './book.ts';
import { decide } from './decide.ts';

const account = 'acct_1';

function ruleBrokenBy(spoil: (book: Book) => void): string | undefined {
  const book = openBook(0);
  book.accounts.set(account, { posted: 1000, held: 0 });
  const entry = { account_id: account, key_id: null, uncapped: true };
  const [amount, cost] = [amountOf(100), amountOf(40)];
  decide(book, { ...entry, kind: 'hold', id: 'r1', amount, expires_at: 9 });
  decide(book, { ...entry, kind: 'hold', id: 'r2', amount, expires_at: 9 });
  decide(book, { kind: 'settle', id: 'r1', account_id: account, cost });
  decide(book, { kind: 'topup', id: 't1', account_id: account, amount, reason: 'more' });
  spoil(book);
  try {
    checkBook(book);
    return undefined;
  } catch (error) {
    const broken = readBrokenRule((error as Error).message);
    if (!broken) throw error;
    return broken.rule;
  }
}

const change = (book: Book, posted: number, held: number) => {
  const before = book.changes.accounts.get(account) ?? { posted: 0, held: 0 };
  book.changes.accounts.set(account, { posted: before.posted + posted, held: before.held + held });
};
const releaseMoreThanIsHeld = (book: Book) => {
  const more = { id: 'r0', account_id: account, key_id: null, amount: amountOf(300) };
  book.holds.set('r0', { ...more, created_at: 0, expires_at: 9, counted: false });
  decide(book, { kind: 'release', id: 'r0', account_id: account });
};
const move = (more: Partial<Transfer>): Transfer => ({
  ...{ id: 'x', kind: 'adjust', account_id: account, amount: 1, hold_id: null, key_id: null },
  ...{ reason: null, created_at: 0 },
  ...more,
});

describe('a batch', () => {
  test('of ordinary entries keeps all rules', () => {
    expect(ruleBrokenBy(() => undefined)).toBeUndefined();
  });

  test('that raises a sum below 0 is not the one that broke it', () => {
    const below = (book: Book) => book.accounts.set(account, { posted: 0, held: -50 });
    expect(ruleBrokenBy(below)).toBeUndefined();
  });

  test.each<[string, (book: Book) => void]>([
    ['movements_add_up', (book) => change(book, 1, 0)],
    ['movements_add_up', (book) => book.changes.transfers.push(move({ amount: 5 }))],
    ['movements_add_up', (book) => book.changes.transfers.push(move({ account_id: 'acct_2' }))],
    ['holds_add_up', (book) => change(book, 0, -1)],
    ['holds_add_up', (book) => book.changes.opened.clear()],
    ['held_not_negative', (book) => releaseMoreThanIsHeld(book)],
    ['movement_once', (book) => book.changes.transfers.push(move({ id: 't1', amount: 0 }))],
    ['settle_takes', (book) => book.changes.transfers.push(move({ kind: 'settle' }))],
    ['settle_takes', (book) => book.changes.transfers.push(move({ kind: 'refund', amount: -1 }))],
    ['whole_amounts', (book) => book.accounts.set(account, { posted: 0.5, held: 0 })],
    ['whole_amounts', (book) => book.accounts.set(account, { posted: 2 ** 60, held: 0 })],
  ])('that would break %s is refused', (rule, spoil) => {
    expect(ruleBrokenBy(spoil)).toBe(rule);
  });
});
