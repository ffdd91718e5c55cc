// Replays under an idempotency key: they count in rate limits, the current rules apply to them, and
// the stored answer is read outside of the ledger's transaction.
import { describe, expect, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { makeBatchTask } from '../../src/billing/book-batch.ts';
import type { ClaimEntry } from '../../src/requests/core/idempotency-claims.ts';
import type { Posting } from '../../src/billing/posting.ts';
import { putClaims } from '../../src/requests/store/idempotency.ts';
import type { Runner } from '../../src/store/database.ts';
import { amountOf } from '../amount-of.ts';
import { engines } from './engines.ts';
import { accountId } from './funded-accounts.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { makeStore } from './migrated-store.ts';

const keyed = { 'idempotency-key': 'order-1' };
const claim: ClaimEntry = {
  kind: 'claim',
  account_id: accountId,
  key: 'order-1',
  key_id: 'key_1',
  value_hash: 'value',
  owner: 'req_2',
  expires_at: 50,
};

interface Caller {
  /** Searches under the same idempotency key. */
  search: () => Promise<Response>;
  change: (policy: object) => Promise<void>;
}

/** A new account with a policy, and a key that has one answer stored. */
async function answeredCaller({ gateway }: GatewayOnStore, policy: object): Promise<Caller> {
  const { id, key } = await gateway.newAccount(policy);
  const authorization = `Bearer ${key}`;
  const body = { query: 'solar', provider: 'engine_a' };
  const search = () => gateway.search({ ...keyed, authorization }, body);
  expect((await search()).status).toBe(200);
  const change = async (to: object) => void (await gateway.admin('PATCH', `/accounts/${id}`, to));
  return { search, change };
}

async function errorOf(response: Response) {
  const { error } = ErrorEnvelope.parse(await response.json());
  return [response.status, error.type, error.detail] as const;
}

describe.each(engines)('on $name', (engine) => {
  test('no statement of the ledger carries the stored answer', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: accountId, name: accountId }, 0);
    const { kind: _kind, key_id, ...row } = claim;
    const stored = { ...row, sent_by: key_id, owner: 'req_1' };
    const answered = { state: 'done', status: 200, answer: 'the stored answer' } as const;
    await putClaims(database, [{ ...stored, ...answered }]);
    const seen: unknown[] = [];
    const { posted } = await database.transaction((tx) => {
      const watched: Runner = {
        ...tx,
        run: async (text, values) => {
          const rows = await tx.run(text, values);
          seen.push([text, values, rows]);
          return rows as never;
        },
      };
      const limited = { ...claim, limits: { account: { at_once: 1 } } };
      const batch: Posting[] = [limited, { ...limited, owner: 'req_3' }].map((one) => ({
        account_id: accountId,
        claim: one,
      }));
      return makeBatchTask().work(watched, { batch, context: { now: 5 } });
    });
    expect(posted[0]?.claim).toMatchObject({ kind: 'replay', owner: 'req_1' });
    // The first replay is still in progress.
    expect(posted[1]?.claim).toMatchObject({ kind: 'rate_limited', limit: { at_once: 1 } });
    expect(seen.length).toBeGreaterThan(1);
    expect(JSON.stringify(seen)).not.toContain('the stored answer');
  });

  test('only a hold that is made extends the claim of its request', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: accountId, name: accountId }, 0);
    const { kind: _kind, key_id, ...row } = claim;
    await putClaims(database, [
      { ...row, sent_by: key_id, state: 'running', status: null, answer: null },
    ]);
    const { account_id, key, owner } = claim;
    const entry = { kind: 'hold', id: owner, account_id, key_id: null } as const;
    const hold = { ...entry, amount: amountOf(1), expires_at: 900 };
    const expiryAfter = async (one: typeof hold | { id: string; expires_at: null }) => {
      const under = { account_id, key, owner };
      const batch: Posting[] = [{ account_id, entry: { ...hold, ...one }, under }];
      await database.transaction((tx) => makeBatchTask().work(tx, { batch, context: { now: 5 } }));
      const [found] = await database.run('select expires_at from idempotency');
      return Number(found?.['expires_at']);
    };
    expect(await expiryAfter(hold)).toBe(50);
    await database.run('update accounts set posted = 10');
    // That of a job has no end.
    expect(await expiryAfter({ id: 'job:1', expires_at: null })).toBe(50);
    expect(await expiryAfter(hold)).toBe(900);
  });

  test('replays count in the limits of a policy, and its current rules can refuse them', async () => {
    await using fixture = await openGatewayOnStore(engine, '1');
    await waitForMinute();
    const caller = await answeredCaller(fixture, { requests_per_minute: 2, requests_at_once: 1 });
    expect((await caller.search()).headers.get('idempotent-replayed')).toBe('true');
    const detail = { requests_per_minute: 2, limit_of: 'account' };
    expect(await errorOf(await caller.search())).toMatchObject([429, 'rate_limited', detail]);
    await caller.change({ requests_per_minute: null });
    const many = await Promise.all(Array.from({ length: 8 }, () => caller.search()));
    expect(many.some(({ status }) => status === 200)).toBe(true);
    // What a replay holds is released with it.
    expect((await caller.search()).status).toBe(200);

    const rules: [object, RegExp][] = [
      [{ providers: ['engine_b'] }, /engine_a/],
      [{ tools: ['extract'] }, /search/],
      [{ blocked_domains: ['example.org'] }, /example\.org/],
    ];
    for (const [rule, named] of rules) {
      await caller.change(rule);
      const [status, type, refused] = await errorOf(await caller.search());
      expect([status, type]).toEqual([400, 'invalid_request']);
      expect(refused).toMatchObject({ issues: [{ code: 'not_allowed' }] });
      expect(JSON.stringify(refused)).toMatch(named);
      await caller.change({ providers: null, tools: null, blocked_domains: null });
    }
    expect((await caller.search()).headers.get('idempotent-replayed')).toBe('true');
    expect(fixture.exa.calls()).toBe(1);
  });
});

/** Counts start again at each minute, so a test must not begin at the end of one. */
async function waitForMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 4000) await Bun.sleep(left);
}
