// Which limits are reached, and which are not.
import { expect, test } from 'bun:test';
import type { Budget, Key } from '@trivium/contract';
import { type ConditionFacts, conditionsOf } from './conditions.ts';

const now = Date.parse('2026-11-18T12:00:00Z');
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const well: ConditionFacts = {
  account: { id: 'acct_1', balance_usd: 10, low_balance_usd: 1, created_at: at(-9000) },
  movedAt: now - 60_000,
  keys: [],
  budgets: [],
  jobs: [],
};
const found = (facts: Partial<ConditionFacts>) => conditionsOf({ ...well, ...facts }, now);
const kinds = (facts: Partial<ConditionFacts>) =>
  found(facts).map(({ kind, severe }) => `${kind}${severe ? '!' : ''}`);

const key = {
  id: 'key_1',
  name: 'Website',
  revoked_at: null,
  expires_at: null,
  used_today_usd: 0,
  daily_cap_usd: 10,
  used_this_month_usd: 0,
  monthly_cap_usd: null,
} as unknown as Key;

test('all is well', () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ keys: [{ ...key, used_today_usd: 7.99 }] })).toEqual([]);
  expect(kinds({ jobs: [{ id: 'job_1', deadline_at: at(11) }] })).toEqual([]);
});

test('caps and budgets from 80 %, and a key that no longer works not at all', () => {
  expect(found({ keys: [{ ...key, used_today_usd: 8 }] })).toEqual([
    {
      ...{ kind: 'key_cap', severe: false, subject: 'key_1', cost_usd: 8 },
      message: 'The key “Website” has used 80 % of its daily cap.',
      started_at: '2026-11-18T00:00:00.000Z',
    },
  ]);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10 }] })).toEqual(['key_cap!']);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10, revoked_at: at(-1) }] })).toEqual([]);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10, expires_at: at(-1) }] })).toEqual([]);
  const used = { this_month_usd: 9, monthly_cap_usd: 10, today_usd: 9, daily_cap_usd: null };
  const budgets = [{ tag: 'team', value: 'a', ...used } as Budget];
  expect(found({ budgets })).toMatchObject([
    { kind: 'budget', subject: 'team=a', started_at: '2026-11-01T00:00:00.000Z' },
  ]);
});

test('money, jobs, the store and the clock', () => {
  const account = { ...well.account, balance_usd: 0.5 };
  expect(kinds({ account })).toEqual(['balance_low']);
  expect(kinds({ account: { ...account, balance_usd: 0 } })).toEqual(['balance_low!']);
  expect(found({ account })[0]?.started_at).toBe(at(-1));
  expect(found({ account, movedAt: 0 })[0]?.started_at).toBe(account.created_at);
  expect(found({ jobs: [{ id: 'job_1', deadline_at: at(9) }] })).toMatchObject([
    { kind: 'job_deadline', started_at: at(-1) },
  ]);
  expect(kinds({ clockOffsetS: 3, storeTrouble: 'The store does not accept writes.' })).toEqual([
    'store!',
    'clock',
  ]);
  expect(kinds({ restMb: 80 })).toEqual(['store']);
});
