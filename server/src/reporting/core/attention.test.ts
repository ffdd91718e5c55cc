// What needs attention, and what does not.
import { expect, test } from 'bun:test';
import type { Budget, Key, WebhookDelivery } from '@trivium/contract';
import { attentionOf, type AttentionFacts } from './attention.ts';

const now = Date.parse('2026-11-18T12:00:00Z');
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const well: AttentionFacts = {
  account: { id: 'acct_1', balance_usd: 10, low_balance_usd: 1 },
  keys: [],
  budgets: [],
  deliveries: [],
  jobs: [],
  providers: [],
  records: [],
};
const kinds = (facts: Partial<AttentionFacts>) =>
  attentionOf({ ...well, ...facts }, now).map(({ kind, severe }) => `${kind}${severe ? '!' : ''}`);

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
const delivery = {
  url: 'https://hooks.example/',
  state: 'failed',
  attempts: 9,
  last_error: 'refused',
  last_attempt_at: at(-5),
} as WebhookDelivery;
const health = {
  circuit: 'closed',
  credentials: 1,
  credentials_resting: 0,
  credentials_refused: 0,
  retry_at: null,
  last_refusal: null,
  running: 0,
  waiting: 0,
} as const;

test('all is well', () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ keys: [key], providers: [{ id: 'engine_a', health }] })).toEqual([]);
  expect(kinds({ keys: [{ ...key, used_today_usd: 7.99 }] })).toEqual([]);
  expect(kinds({ jobs: [{ id: 'job_1', created_at: at(-60), deadline_at: at(11) }] })).toEqual([]);
  expect(kinds({ deliveries: [{ ...delivery, last_attempt_at: at(-60 * 25) }] })).toEqual([]);
  expect(
    kinds({ deliveries: [{ ...delivery, state: 'pending', attempts: 0, last_error: null }] }),
  ).toEqual([]);
});

test('caps and budgets from 80 %, and a key that no longer works not at all', () => {
  expect(kinds({ keys: [{ ...key, used_today_usd: 8 }] })).toEqual(['key_cap']);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10 }] })).toEqual(['key_cap!']);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10, revoked_at: at(-1) }] })).toEqual([]);
  expect(kinds({ keys: [{ ...key, used_today_usd: 10, expires_at: at(-1) }] })).toEqual([]);
  const budget = { tag: 'team', value: 'a', today_usd: 9, daily_cap_usd: 10 } as Budget;
  const budgets = [{ ...budget, this_month_usd: 0, monthly_cap_usd: null }];
  expect(kinds({ budgets })).toEqual(['budget']);
});

test('money, providers, webhooks, jobs, the store and the clock', () => {
  const account = { ...well.account, balance_usd: 0.5 };
  expect(kinds({ account })).toEqual(['balance_low']);
  expect(kinds({ account: { ...account, balance_usd: 0 } })).toEqual(['balance_low!']);
  const open = { ...health, circuit: 'open', credentials_refused: 1 } as const;
  expect(kinds({ providers: [{ id: 'engine_a', health: open }] })).toEqual([
    'circuit_open!',
    'credential_refused!',
  ]);
  const record = { id: 'engine_a', requests: 100, failures: 22, p50_ms: 1, p95_ms: 1 };
  expect(kinds({ records: [record] })).toEqual(['provider_failing']);
  expect(kinds({ records: [{ ...record, failures: 19 }] })).toEqual([]);
  expect(kinds({ records: [{ ...record, requests: 9, failures: 9 }] })).toEqual([]);
  expect(kinds({ deliveries: [delivery, delivery] })).toEqual(['webhook_failing']);
  expect(kinds({ deliveries: [{ ...delivery, state: 'pending' }] })).toEqual(['webhook_failing']);
  const success = { ...delivery, state: 'delivered', last_error: null } as const;
  const elsewhere = { ...success, url: 'https://other.example/', last_attempt_at: at(-1) };
  expect(kinds({ deliveries: [elsewhere, delivery] })).toEqual(['webhook_failing']);
  expect(kinds({ deliveries: [delivery, { ...success, last_attempt_at: at(-6) }] })).toEqual([
    'webhook_failing',
  ]);
  expect(kinds({ deliveries: [{ ...success, last_attempt_at: at(-4) }, delivery] })).toEqual([]);
  expect(kinds({ jobs: [{ id: 'job_1', created_at: at(-60), deadline_at: at(9) }] })).toEqual([
    'job_deadline',
  ]);
  expect(kinds({ clockOffsetS: 3, storeTrouble: 'The store does not accept writes.' })).toEqual([
    'store!',
    'clock',
  ]);
  expect(kinds({ restMb: 80 })).toEqual(['store']);
});
