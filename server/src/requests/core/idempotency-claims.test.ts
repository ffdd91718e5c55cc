// Properties of idempotency keys: one owner at a time, and an answer only for the same request.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { holdReplay, openBook, type Book } from '../../billing/core/book.ts';
import { decide } from '../../billing/core/decide.ts';
import { decideClaim, freeClaim, isOwner, storeAnswer } from './idempotency-claims.ts';
import type { ClaimEntry } from './idempotency-claims.ts';
import { openRateLimit } from './rate-limit.ts';

const accountId = 'a';
const key = 'k';
const keptUntil = 10_000;

const entry: Omit<ClaimEntry, 'owner' | 'expires_at'> = {
  kind: 'claim',
  account_id: accountId,
  key,
  key_id: 'key_1',
  value_hash: 'one',
};

type Step =
  | { does: 'claim'; owner: string; value_hash: string; lasts: number }
  | { does: 'free' | 'answer'; owner: string }
  | { does: 'wait'; ms: number };

const owner = fc.constantFrom('r1', 'r2', 'r3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('claim' as const),
    owner,
    value_hash: fc.constantFrom('one', 'other'),
    lasts: fc.integer({ min: 1, max: 50 }),
  }),
  fc.record({ does: fc.constantFrom('free' as const, 'answer' as const), owner }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }),
);

test('a key always has one owner, and an answer belongs to its body', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const book = openBook(1);
      for (const one of steps) {
        perform(book, one);
        const owners = ['r1', 'r2', 'r3'].filter((name) =>
          isOwner(book, { account_id: accountId, key, owner: name }),
        );
        expect(owners.length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

function perform(book: Book, one: Step): void {
  const before = book.claims.get(`${accountId} ${key}`);
  const alive = before !== undefined && before.expires_at > book.now;
  switch (one.does) {
    case 'wait':
      book.now += one.ms;
      return;
    case 'free':
      freeClaim(book, { account_id: accountId, key, owner: one.owner });
      return;
    case 'answer':
      storeAnswer(
        book,
        { account_id: accountId, key, owner: one.owner },
        { status: 200, body: one.owner, expires_at: keptUntil },
      );
      return;
    case 'claim': {
      const { value_hash, lasts } = one;
      const expiresAt = book.now + lasts;
      const asked = { ...entry, value_hash, owner: one.owner, expires_at: expiresAt };
      const { kind } = decideClaim(book, asked);
      if (!alive || before.owner === one.owner) expect(kind).toBe('claimed');
      else if (before.value_hash !== value_hash) expect(kind).toBe('other_body');
      else expect(kind).toBe(before.state === 'done' ? 'replay' : 'running');
    }
  }
}

test('a finished request cannot be freed, and a freed key may be claimed at once', () => {
  const book = openBook(1);
  const ref = { account_id: accountId, key, owner: 'r1' };
  const asked = { ...entry, ...ref, expires_at: 50 };
  decideClaim(book, asked);
  freeClaim(book, ref);
  expect(decideClaim(book, { ...asked, owner: 'r2' })).toEqual({ kind: 'claimed', key });
  const second = { ...ref, owner: 'r2' };
  storeAnswer(book, second, { status: 200, body: 'text', expires_at: keptUntil });
  freeClaim(book, second);
  const replayed = decideClaim(book, { ...asked, owner: 'r3' });
  expect(replayed).toEqual({ kind: 'replay', key, owner: 'r2', status: 200, is_held: false });
});

test('a claim that has ended is kept until another request of its API key claims the key', () => {
  const book = openBook(1);
  decideClaim(book, { ...entry, key_id: 'key_2', owner: 'r0', expires_at: 20 });
  // Another API key uses the same key, so this claim has a row of its own.
  const first = { ...entry, owner: 'r1', expires_at: 10 };
  const own = { account_id: accountId, key: `key_1 ${key}`, owner: 'r1' };
  expect(decideClaim(book, first)).toEqual({ kind: 'claimed', key: own.key });
  book.now = 30;
  expect(isOwner(book, own)).toBe(true);
  expect(decideClaim(book, { ...entry, owner: 'r2', expires_at: 90 })).toEqual({
    kind: 'claimed',
    key,
  });
  expect(isOwner(book, own)).toBe(false);
});

test('a key whose sender is not known is never charged again', () => {
  const book = openBook(1);
  const asked = { ...entry, owner: 'r0', expires_at: 50 };
  decideClaim(book, asked);
  Object.assign(book.claims.get(`${accountId} ${key}`) ?? {}, { sent_by: null, value_hash: null });
  expect(decideClaim(book, { ...asked, owner: 'r1' })).toEqual({ kind: 'other_body' });
});

test('a key that looks like the place of another API key gives that key no answer', () => {
  const book = openBook(1);
  const crafted = { ...entry, key: `key_1 ${key}`, key_id: 'key_2', owner: 'r1', expires_at: 50 };
  decideClaim(book, { ...entry, key_id: 'key_3', owner: 'r0', expires_at: 50 });
  decideClaim(book, crafted);
  storeAnswer(
    book,
    { account_id: accountId, key: crafted.key, owner: 'r1' },
    { status: 200, body: 'text', expires_at: keptUntil },
  );
  expect(decideClaim(book, { ...entry, owner: 'r2', expires_at: 50 }).kind).toBe('claimed');
});

test('a replay counts as a request of the minute and as one at once', () => {
  const book = openBook(1, openRateLimit(undefined));
  const limits = { key: { per_minute: 2, at_once: 1 } };
  const asked = { ...entry, limits, owner: 'r1', expires_at: 50 };
  decideClaim(book, asked);
  storeAnswer(
    book,
    { account_id: accountId, key, owner: 'r1' },
    { status: 200, body: 'text', expires_at: keptUntil },
  );
  expect(decideClaim(book, { ...asked, owner: 'r2' })).toMatchObject({
    kind: 'replay',
    is_held: true,
  });
  holdReplay(book, { ...asked, owner: 'r2' });
  expect(decideClaim(book, { ...asked, owner: 'r3' })).toMatchObject({ limit: { at_once: 1 } });
  book.accounts.set(accountId, { posted: -5, held: 0 });
  decide(book, { kind: 'release', id: 'r2', account_id: accountId });
  expect(decideClaim(book, { ...asked, owner: 'r3' })).toMatchObject({ kind: 'replay' });
  holdReplay(book, { ...asked, owner: 'r3' });
  decide(book, { kind: 'release', id: 'r3', account_id: accountId });
  expect(decideClaim(book, { ...asked, owner: 'r4' })).toMatchObject({ limit: { per_minute: 2 } });
});
