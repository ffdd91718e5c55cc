// Policies are validated: a value that is not a limit is refused with its path.
import { expect, test } from 'bun:test';
import { AccountChange, KeyRequest } from './admin.ts';
import { issuesOf } from './issues.ts';

const pathsOf = (change: object): string[] => {
  const parsed = AccountChange.safeParse(change);
  return parsed.success ? [] : issuesOf(parsed.error).map(({ path }) => path);
};

test.each([
  [{ requests_per_minute: 0 }, 'requests_per_minute'],
  [{ requests_per_minute: -5 }, 'requests_per_minute'],
  [{ requests_per_minute: 1.5 }, 'requests_per_minute'],
  [{ requests_per_minute: 1e300 }, 'requests_per_minute'],
  [{ requests_per_minute: '5' }, 'requests_per_minute'],
  [{ requests_at_once: Number.NaN }, 'requests_at_once'],
  [{ requests_at_once: 100_001 }, 'requests_at_once'],
  [{ requests_at_once: 0.5 }, 'requests_at_once'],
  [{ low_balance_usd: 0.000_000_1 }, 'low_balance_usd'],
  [{ max_cost_usd: -0.01 }, 'max_cost_usd'],
  [{ max_cost_usd: 0.000_000_1 }, 'max_cost_usd'],
  [{ max_cost_usd: Infinity }, 'max_cost_usd'],
  [{ max_audio_minutes: 0 }, 'max_audio_minutes'],
  [{ max_audio_minutes: -1 }, 'max_audio_minutes'],
  [{ max_audio_minutes: 2881 }, 'max_audio_minutes'],
  [{ max_audio_minutes: 10.5 }, 'max_audio_minutes'],
  [{ overdraft_usd: -0.01 }, 'overdraft_usd'],
  [{ overdraft_usd: 1e308 }, 'overdraft_usd'],
  [{ overdraft_usd: 10.000_000_1 }, 'overdraft_usd'],
  [{ max_stored_mb: 0 }, 'max_stored_mb'],
  [{ max_stored_mb: 1e308 }, 'max_stored_mb'],
  [{ max_stored_mb: 10.5 }, 'max_stored_mb'],
  [{ keep_query_hours: -1 }, 'keep_query_hours'],
  [{ keep_query_hours: 0.5 }, 'keep_query_hours'],
  [{ tools: [] }, 'tools'],
  [{ tools: ['search', 'constructor'] }, 'tools.1'],
  [{ tools: 'search' }, 'tools'],
  [{ providers: ['auto'] }, 'providers.0'],
  [{ providers: ['__proto__'] }, 'providers.0'],
  [{ blocked_domains: [] }, 'blocked_domains'],
  [{ blocked_domains: ['ok.example', ''] }, 'blocked_domains.1'],
  [{ blocked_domains: ['a b'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['example.com/path'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['example.com:8080'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['user@example.com'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['[::g]'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['*'] }, 'blocked_domains.0'],
  [{ blocked_domains: ['a..b'] }, 'blocked_domains.0'],
  [{ blocked_domains: [null] }, 'blocked_domains.0'],
  [{ owner: 'me' }, 'owner'],
])('%j is refused', (change, path) => {
  expect(pathsOf(change)).toContain(path);
});

test('100,000 domains are refused as a whole', () => {
  const domains = Array.from({ length: 100_000 }, (_, at) => `d${at}.example`);
  expect(pathsOf({ allowed_domains: domains })).toEqual(['allowed_domains']);
  expect(pathsOf({ allowed_domains: domains.slice(0, 1000) })).toEqual([]);
});

test('domains are stored in one spelling', () => {
  const { blocked_domains: domains } = AccountChange.parse({
    blocked_domains: [
      'HTTPS://Example.COM/',
      'Bücher.example.',
      '*.A.example',
      '3221225985',
      '[2001:DB8::1]',
    ],
  });
  expect(domains).toEqual([
    'example.com',
    'xn--bcher-kva.example',
    '*.a.example',
    '192.0.2.1',
    '[2001:db8::1]',
  ]);
  const again = AccountChange.parse({ blocked_domains: domains });
  expect(again.blocked_domains).toEqual(domains);
});

test('an absent field stays absent, and null removes a limit', () => {
  expect(KeyRequest.parse({ name: 'k', tools: null })).toEqual({ name: 'k', tools: null });
});
