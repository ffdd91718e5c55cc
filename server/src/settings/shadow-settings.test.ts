// The settings of shadow calls: off unless a share is set, and refused by name where they are
// incomplete or no list.
import { expect, test } from 'bun:test';
import { readSettings } from './settings.ts';

const key = `sk_live_${'k'.repeat(43)}`;
const whole = {
  TRIVIUM_SHADOW_SHARE: '0.05',
  TRIVIUM_SHADOW_ENGINES: 'engine_a, engine_c',
  TRIVIUM_SHADOW_KEY: key,
};
const shadowOf = (env: Record<string, string>) => readSettings(env, []).shadow;

test('nothing is repeated unless a share is set', () => {
  expect(shadowOf({})).toBeUndefined();
  expect(shadowOf({ ...whole, TRIVIUM_SHADOW_SHARE: '0' })).toBeUndefined();
  expect(shadowOf(whole)).toEqual({
    ...{ share: 0.05, engines: ['engine_a', 'engine_c'], key, tags: [] },
    ...{ accounts: new Set(), excluded: new Set() },
  });
  const some = { TRIVIUM_SHADOW_TAGS: 'team=search,run=1', TRIVIUM_SHADOW_EXCLUDE: 'acct_1' };
  expect(shadowOf({ ...whole, ...some })).toMatchObject({
    ...{ tags: ['team=search', 'run=1'], excluded: new Set(['acct_1']) },
  });
});

test.each([
  ['TRIVIUM_SHADOW_SHARE', '1.01'],
  ['TRIVIUM_SHADOW_SHARE', '-0.1'],
  ['TRIVIUM_SHADOW_SHARE', 'Infinity'],
  ['TRIVIUM_SHADOW_SHARE', '5%'],
  ['TRIVIUM_SHADOW_ENGINES', 'engine_a'],
  ['TRIVIUM_SHADOW_ENGINES', 'engine_a,engine_a'],
  ['TRIVIUM_SHADOW_ENGINES', 'engine_a,fusion'],
  ['TRIVIUM_SHADOW_ENGINES', 'engine_a,constructor'],
  ['TRIVIUM_SHADOW_KEY', ''],
  ['TRIVIUM_SHADOW_KEY', 'sk_live_short'],
  ['TRIVIUM_SHADOW_TAGS', 'team'],
  ['TRIVIUM_SHADOW_TAGS', 'team=a b'],
  ['TRIVIUM_SHADOW_ACCOUNTS', 'acct 1'],
  // A list of nothing must not mean all of them.
  ['TRIVIUM_SHADOW_ACCOUNTS', ','],
  ['TRIVIUM_SHADOW_EXCLUDE', ' , ,'],
  ['TRIVIUM_SHADOW_TAGS', ',,'],
  ['TRIVIUM_SHADOW_ENGINES', ','],
  ['TRIVIUM_DISABLED_PROVIDERS', ','],
])('%s=%s is refused', (name, value) => {
  expect(() => shadowOf({ ...whole, [name]: value })).toThrow(name);
});
