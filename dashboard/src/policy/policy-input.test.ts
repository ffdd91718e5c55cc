// Typed fields become a policy and can be restored from it; empty fields set no limit.
import { expect, test } from 'bun:test';
import { noPolicy, Policy } from '@trivium/contract';
import { inputOf, policyOf } from './policy-input.ts';

test('empty fields are an empty policy', () => {
  expect(policyOf(inputOf(undefined))).toEqual(noPolicy);
});

test('a policy survives the round trip through its fields', () => {
  const policy = Policy.parse({
    ...noPolicy,
    tools: ['search'],
    providers: ['engine_a'],
    requests_per_minute: 60,
    max_cost_usd: 0,
    max_audio_minutes: 30,
    overdraft_usd: 0,
    max_stored_mb: 100,
    keep_query_hours: 0,
    content: 'clean',
    blocked_domains: ['one.example', 'two.example'],
  });
  expect(policyOf(inputOf(policy))).toEqual(policy);
});

test('domains may be separated in any way', () => {
  const input = { ...inputOf(undefined), allowed_domains: ' a.example, b.example\n\nc.example ' };
  expect(policyOf(input).allowed_domains).toEqual(['a.example', 'b.example', 'c.example']);
});
