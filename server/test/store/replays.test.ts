// Requests under an idempotency key: one run, one charge, one answer. Replays count in rate limits, the
// current rules apply to them, and the stored answer is read outside of the ledger's transaction.
import { describe, test } from 'bun:test';
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
import {
  balance,
  type GatewayOnStore,
  openGatewayOnStore,
  sharedGatewayOnStore,
} from './gateway-on-store.ts';
import { makeStore } from './migrated-store.ts';
import { expect, proves } from '../../../e2e/proves.ts';
import { found } from '../exa-upstream.ts';

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

const repeatedKey = { 'idempotency-key': 'order-1' };

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('a request that failed frees its key', async () => {
    await using fixture = await open('1');
    fixture.exa.answer(() => Response.json({ error: 'no' }, { status: 500 }));
    expect((await fixture.gateway.search(repeatedKey)).status).toBe(502);
    fixture.exa.answer(() => found());
    const retried = await fixture.gateway.search(repeatedKey);
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await balance(fixture.gateway)).toMatchObject({ balance_usd: 0.993 });
  });

  test('bodies are compared by their values, not by their spelling', async () => {
    await using fixture = await open('1');
    const spellings = [
      '{"query":"solar","max_results":3,"provider_options":{"engine_a":{"a":1,"b":[2]}}}',
      '{ "provider_options": {"engine_a": {"b": [2.0], "a": 1}},\n' +
        '"max_results":3, "query":"sol\\u0061r" }',
    ];
    const answers: string[] = [];
    for (const body of spellings) {
      const answer = await fetch(`${fixture.gateway.url}/v1/search`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.gateway.key}`,
          'content-type': 'application/json',
          ...keyed,
        },
        body,
      });
      expect(answer.status).toBe(200);
      answers.push(await answer.text());
    }
    proves('calls.idempotency.parsed-body', () => {
      expect(answers[1]).toBe(answers[0] ?? '');
      expect(fixture.exa.calls()).toBe(1);
    });
  });

  test('an idempotency key that another API key of the account used gets no replay', async () => {
    await using fixture = await open('1');
    await fixture.gateway.search(repeatedKey);
    const path = `/accounts/${fixture.account}/keys`;
    const created = await fixture.gateway.admin('POST', path, { name: 'second' });
    const { key } = (await created.json()) as { key: string };
    expect(key).toStartWith('sk_live_');
    const other = { ...keyed, authorization: `Bearer ${key}` };
    const answers = [await fixture.gateway.search(other), await fixture.gateway.search(other)];
    proves('calls.idempotency.own-key', () => {
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
        null,
        'true',
      ]);
      expect(fixture.exa.calls()).toBe(2);
    });
    const third = await fixture.gateway.search(other, { query: 'wind' });
    expect(third.status).toBe(409);
  });

  test('a malformed key gets a 400', async () => {
    await using fixture = await open('1');
    const refused = await fixture.gateway.search({ 'idempotency-key': 'two words' });
    expect(refused.status).toBe(400);
    expect(ErrorEnvelope.parse(await refused.json()).error.detail).toMatchObject({
      issues: [{ path: 'idempotency-key' }],
    });
  });

  test('an answer is kept for a day, and then deleted', async () => {
    await using fixture = await open('1');
    await fixture.gateway.search(repeatedKey);
    const database = await fixture.store.another();
    const [row] = await database.run('select expires_at from idempotency');
    const leftHours = (Number(row?.['expires_at']) - Date.now()) / 3_600_000;
    proves('calls.idempotency.kept', () => {
      expect(leftHours).toBeGreaterThan(23);
      expect(leftHours).toBeLessThanOrEqual(24);
    });
    await database.run('update idempotency set expires_at = 1');
    await database.close();
    const again = await fixture.gateway.search(repeatedKey);
    proves('calls.idempotency.kept', () => {
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(fixture.exa.calls()).toBe(2);
    });
  });
});
