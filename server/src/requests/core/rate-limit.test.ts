// The rate limit of a key: what it counts, what it ignores, and when it ends.
import { test } from 'bun:test';
import fc from 'fast-check';
import { expect, proves } from '../../../../e2e/proves.ts';
import { openBook, type Book } from '../../billing/core/book.ts';
import { decide } from '../../billing/core/decide.ts';
import type { LedgerOutcome, HoldEntry } from '../../billing/core/entries.ts';
import { minuteOf, openRateLimit } from './rate-limit.ts';
import { amountOf } from '../../../test/amount-of.ts';

const noon = Date.UTC(2027, 0, 1, 12);

test('a request above the limit must wait for the next minute, and holds nothing', () => {
  const book = makeBook(noon + 12_345, 2);
  expect(hold(book, 'r1')).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r2')).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r3')).toEqual({
    kind: 'rate_limited',
    whose: 'key',
    limit: { per_minute: 2 },
    retry_after_s: 48,
  });
  expect(book.accounts.get('a')).toEqual({ posted: 100, held: 20 });
  expect([...book.holds.keys()]).toEqual(['r1', 'r2']);
});

test('the wait is at least a second and at most a minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 120_000 }), (lateMs) => {
      const now = noon + lateMs;
      const book = makeBook(now, 1);
      hold(book, 'r1');
      const refused = hold(book, 'r2');
      const waitS = refused.kind === 'rate_limited' ? refused.retry_after_s : 0;
      expect(waitS).toBeGreaterThanOrEqual(1);
      expect(waitS).toBeLessThanOrEqual(60);
      expect(minuteOf(now + waitS * 1000)).toBe(minuteOf(now) + 1);
    }),
  );
});

test('requests before the batch count, and only the difference is written', () => {
  const book = makeBook(noon, 3);
  book.rateLimit?.keys.set('a k', { account_id: 'a', key_id: 'k', requests: 2 });
  expect(hold(book, 'r1')).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r2')).toMatchObject({ kind: 'rate_limited' });
  expect([...(book.rateLimit?.changes.values() ?? [])]).toEqual([
    { account_id: 'a', key_id: 'k', requests: 1 },
  ]);
});

test('a repeated hold, a declined hold and one without a key are not counted', () => {
  const book = makeBook(noon, 2);
  hold(book, 'r1');
  expect(hold(book, 'r1')).toMatchObject({ kind: 'held', again: true });
  expect(hold(book, 'r2', { amount: amountOf(1000) })).toMatchObject({ kind: 'declined' });
  expect(hold(book, 'r3', { key_id: null })).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r4')).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r1')).toMatchObject({ kind: 'held', again: true });
  expect(hold(book, 'r5')).toMatchObject({ kind: 'rate_limited' });
});

test('each key has its own limit, and the same key id in another account is another key', () => {
  const book = makeBook(noon, 1);
  expect(hold(book, 'r1')).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r2', { key_id: 'other' })).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r3', { account_id: 'b' })).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r4', { account_id: 'b' })).toMatchObject({ kind: 'rate_limited' });
});

test('the stricter of the setting and the policy of a key applies', () => {
  const book = makeBook(noon, 3);
  const strict = { limits: { key: { per_minute: 1 } } };
  expect(hold(book, 'r1', strict)).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r2', strict)).toMatchObject({ limit: { per_minute: 1 } });
  const loose = { key_id: 'other', limits: { key: { per_minute: 9 } } };
  for (const id of ['o1', 'o2', 'o3'])
    expect(hold(book, id, loose)).toMatchObject({ kind: 'held' });
  expect(hold(book, 'o4', loose)).toMatchObject({ limit: { per_minute: 3 } });
});

test('a job is not a request at once, and one that ends in the same batch makes room for the next', () => {
  const book = makeBook(noon, 9);
  const limits = { limits: { account: { at_once: 1 } }, expires_at: noon + 1000 };
  expect(hold(book, 'job:1', { ...limits, expires_at: null })).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r1', limits)).toMatchObject({ kind: 'held' });
  expect(hold(book, 'r2', limits)).toMatchObject({ limit: { at_once: 1 } });
  decide(book, { kind: 'release', id: 'r1', account_id: 'a' });
  expect(hold(book, 'r3', limits)).toMatchObject({ kind: 'held' });
});

test('without a limit nothing is counted', () => {
  const book = makeBook(noon);
  proves('choice.429.off-by-default', () => {
    for (let at = 0; at < 10; at += 1) {
      expect(hold(book, `r${at}`)).toMatchObject({ kind: 'held' });
    }
    expect(book.rateLimit).toBeUndefined();
  });
});

function makeBook(now: number, perMinute?: number): Book {
  const book = openBook(now, perMinute === undefined ? undefined : openRateLimit(perMinute));
  for (const id of ['a', 'b']) book.accounts.set(id, { posted: 100, held: 0 });
  return book;
}

function hold(book: Book, id: string, other: Partial<HoldEntry> = {}): LedgerOutcome {
  const usual = { account_id: 'a', key_id: 'k', amount: amountOf(10), expires_at: null };
  return decide(book, { kind: 'hold', id, ...usual, ...other });
}
