// What callers and operators may not send, schema by schema; the routes that read them are tested
// with one fault each.
import { describe, expect, test } from 'bun:test';
import type { z } from 'zod';
import { TopupRequest } from './admin.ts';
import { BudgetRequest } from './budgets.ts';
import { FeedbackRequest } from './feedback.ts';
import { issuesOf } from './issues.ts';
import { Tags } from './tags.ts';
import { OwnJobQuery, OwnUsageQuery } from './usage.ts';

const codesOf = (schema: z.ZodType, value: unknown) =>
  issuesOf(schema.safeParse(value).error ?? { issues: [] }).map(({ code }) => code);

describe('tags', () => {
  const long = 'x'.repeat(64);
  const many = (count: number) => Array.from({ length: count }, (_, at) => `t${at}=v`).join(',');

  test.each([
    ['team=search', 'team=search'],
    ['team=search, run=42', 'team=search,run=42'],
    [' a.b:c-d_E=0 ,\tx=y ', 'a.b:c-d_E=0,x=y'],
    ...[`${long}=${long}`, 'constructor=toString', many(10)].map((same) => [same, same]),
  ])('%j are accepted', (header, tags) => expect(Tags.parse(header)).toBe(tags));

  test.each([
    ...['', ' ', ',', 'team', 'team=', '=search', 'team=search,', ',team=search', 'a=b,,c=d'],
    ...['a=b=c', 'a = b', 'a=b c', 'ä=b', 'a=ö', 'a="b"', 'a=b;c=d', 'a=b/c', 'a=%41', 'a=*'],
    ...[`${long}x=y`, `y=${long}x`, many(11), 'a=1,a=2', 'a=1,b=2,a=1', `${'a=b,'.repeat(600)}c=d`],
  ])('%j are refused', (header) => expect(codesOf(Tags, header)).toHaveLength(1));
});

test.each([
  [{ amount_usd: 0.0000001, reason: 'r' }, 'not_exact'],
  [{ amount_usd: -1, reason: 'r' }, 'too_small'],
  [{ amount_usd: 0, reason: 'r' }, 'too_small'],
  [{ amount_usd: 1_000_001, reason: 'r' }, 'too_big'],
  [{ amount_usd: '1', reason: 'r' }, 'invalid_type'],
  [{ amount_usd: 1, reason: ' ' }, 'too_small'],
  [{ amount_usd: 1 }, 'invalid_type'],
])('a top-up of %j is refused (%s)', (body, code) =>
  expect(codesOf(TopupRequest, body)).toContain(code),
);

test.each([
  ...[{ tag: 'a b' }, { tag: '' }, { tag: ['a'] }, { value: 'x'.repeat(65) }, { value: 'é' }],
  ...[{ daily_cap_usd: -1 }, { daily_cap_usd: 0.0000001 }, { daily_cap_usd: '1' }],
  ...[{ monthly_cap_usd: 1e300 }, { more: 1 }],
])('a budget with %j is refused', (fault) => {
  const budget = { tag: 'a', value: 'x', daily_cap_usd: 1 };
  expect(codesOf(BudgetRequest, budget)).toEqual([]);
  expect(codesOf(BudgetRequest, { ...budget, ...fault })).not.toEqual([]);
});

describe('feedback', () => {
  const searchId = `srch_${'0'.repeat(32)}`;
  const ids = (length: number) => Array.from({ length }, () => `res_${'0'.repeat(16)}`);
  const cited = ['https://a.example/'];

  test('about ids and URLs is accepted', () =>
    expect(codesOf(FeedbackRequest, { search_id: searchId, cited, opened: ids(100) })).toEqual([]));

  test.each([
    ['nothing named', {}],
    ['empty lists', { cited: [], opened: [], rejected: [] }],
    ['101 results', { cited: ids(101) }],
    ['100,000 results', { opened: ids(100_000) }],
    ['an inherited name', { cited: ['__proto__'] }],
    ['another field', { cited, constructor: [] }],
    ['a list of lists', { cited: [cited] }],
    ['a long address', { cited: [`https://a.example/${'a'.repeat(10_000)}`] }],
    ['a text instead of a list', { cited: 'https://a.example/' }],
    ['another scheme', { cited: ['javascript:alert(1)'] }],
    ...['', 'srch_', `req_${'0'.repeat(32)}`, '__proto__', `${searchId}0`].map(
      (id): [string, object] => [`the id "${id}"`, { search_id: id, cited }],
    ),
  ])('%s is refused', (_name, fields) =>
    expect(codesOf(FeedbackRequest, { search_id: searchId, ...fields })).not.toEqual([]),
  );
});

test.each([
  ...[{ by: 'hour' }, { by: 'tag:' }, { by: 'tag:a b' }, { by: 'account' }, { by: '__proto__' }],
  ...[{ by: `tag:${'x'.repeat(65)}` }, { from: 'yesterday' }, { from: '2026-02-30' }, { from: '' }],
  ...[{ from: '2026-02-01', to: '2026-01-01' }, { from: '2026-01-01T00:00:00' }],
  ...[{ account_id: 'acct_default' }, { key_id: 'x' }, { limit: '1' }, { From: '2026-01-01' }],
])('usage with %j is refused', (query) => expect(codesOf(OwnUsageQuery, query)).not.toEqual([]));

test.each([
  ...[{ status: 'gone' }, { status: '' }, { limit: '0' }, { limit: '501' }, { limit: '1.5' }],
  ...[{ provider: 'stt_a' }, { account_id: 'acct_default' }],
])('a list of jobs with %j is refused', (query) =>
  expect(codesOf(OwnJobQuery, query)).not.toEqual([]),
);
