// The list of keys: the order of a person's choice, and the search in it.
import { expect, test } from 'bun:test';
import type { Key } from '@trivium/contract';
import { findKeys, keyOrders, sortKeys } from './key-order.ts';

const keyOf = (id: string, more: Partial<Key>) =>
  ({
    ...{ id, name: id, display: `sk_live_${id}`, created_at: '2026-11-01T00:00:00Z' },
    ...{ last_used_at: null, used_today_usd: 0, used_this_month_usd: 0 },
    ...{ daily_cap_usd: null, monthly_cap_usd: null },
    ...more,
  }) as Key;

const keys = [
  keyOf('Unused', { created_at: '2026-11-19T00:00:00Z' }),
  keyOf('busy', { last_used_at: '2026-11-19T10:00:00Z', used_this_month_usd: 90 }),
  keyOf('near', { used_today_usd: 9, daily_cap_usd: 10, used_this_month_usd: 9 }),
  keyOf('over', { used_this_month_usd: 12, monthly_cap_usd: 10, daily_cap_usd: 100 }),
  keyOf('closed', { daily_cap_usd: 0 }),
];
const namesIn = (sort: string | null, first: string | null = null) =>
  sortKeys(keys, sort, first).map(({ name }) => name);

test('the key that is nearest to a cap is first, and the others by their last use', () => {
  expect(namesIn(null)).toEqual(['over', 'closed', 'near', 'busy', 'Unused']);
  expect(namesIn(null, 'Unused')[0]).toBe('Unused');
  expect(namesIn('last_used')[0]).toBe('busy');
  expect(namesIn('spent').slice(0, 3)).toEqual(['busy', 'over', 'near']);
  expect(namesIn('name').slice(0, 2)).toEqual(['busy', 'closed']);
  expect(namesIn('created')[0]).toBe('Unused');
  // An address can name an order that does not exist.
  expect(namesIn('constructor')[0]).toBe('busy');
  expect(new Set(keyOrders.map(([sort]) => sort)).size).toBe(keyOrders.length);
});

test('keys are found by a part of their name, id or first characters', () => {
  expect(findKeys(keys, ' BUS ').map(({ id }) => id)).toEqual(['busy']);
  expect(findKeys(keys, 'sk_live_near').map(({ id }) => id)).toEqual(['near']);
  expect(findKeys(keys, '').length).toBe(keys.length);
  expect(findKeys(keys, '.*')).toEqual([]);
});
