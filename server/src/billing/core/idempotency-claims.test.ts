// Properties of idempotency keys: one owner at a time, and an answer only for the same request.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { openBook } from './book.ts';
import type { Book } from './book.ts';
import { claim, freeClaim, isOwner, storeAnswer } from './idempotency-claims.ts';

const accountId = 'a';
const key = 'k';
const keptUntil = 10_000;

type Step =
  | { does: 'claim'; owner: string; body_hash: string; lasts: number }
  | { does: 'free' | 'answer'; owner: string }
  | { does: 'wait'; ms: number };

const owner = fc.constantFrom('r1', 'r2', 'r3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('claim' as const),
    owner,
    body_hash: fc.constantFrom('one', 'other'),
    lasts: fc.integer({ min: 1, max: 50 }),
  }),
  fc.record({ does: fc.constantFrom('free' as const, 'answer' as const), owner }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }),
);

test('a key always has one owner, and an answer belongs to its body', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
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
      const { body_hash, lasts } = one;
      const expiresAt = book.now + lasts;
      const entry = {
        account_id: accountId,
        key,
        body_hash,
        owner: one.owner,
        expires_at: expiresAt,
      };
      const { kind } = claim(book, { kind: 'claim', ...entry });
      if (!alive || before.owner === one.owner) expect(kind).toBe('claimed');
      else if (before.body_hash !== body_hash) expect(kind).toBe('other_body');
      else expect(kind).toBe(before.state === 'done' ? 'replay' : 'running');
    }
  }
}

test('a finished request cannot be freed, and a freed key may be claimed at once', () => {
  const book = openBook(1);
  const ref = { account_id: accountId, key, owner: 'r1' };
  const asked = { kind: 'claim', ...ref, body_hash: 'one', expires_at: 50 } as const;
  claim(book, asked);
  freeClaim(book, ref);
  expect(claim(book, { ...asked, owner: 'r2' })).toEqual({ kind: 'claimed' });
  const second = { ...ref, owner: 'r2' };
  storeAnswer(book, second, { status: 200, body: 'text', expires_at: keptUntil });
  freeClaim(book, second);
  const replayed = claim(book, { ...asked, owner: 'r3' });
  expect(replayed).toEqual({ kind: 'replay', owner: 'r2', status: 200, answer: 'text' });
});
