// Tests of maps with a limit.
import { expect, test } from 'bun:test';
import { boundedMap } from './bounded-map.ts';
import { readLimits } from './limit-gauges.ts';

test('the oldest entry is evicted, and replacing one evicts nothing', () => {
  const map = boundedMap<string, number>({ limit: 2 });
  for (const key of ['a', 'b', 'a']) expect(map.put(key, 1)).toBe(true);
  expect([...map.keys()]).toEqual(['a', 'b']);
  expect(map.put('constructor', 2)).toBe(true);
  expect([...map]).toEqual([
    ['b', 1],
    ['constructor', 2],
  ]);
});

test('only what may be evicted is, and a full map refuses', () => {
  const idle = boundedMap<string, number>({ limit: 2, mayEvict: (value) => value === 0 });
  for (const [key, value] of Object.entries({ a: 1, b: 0, c: 2 })) idle.put(key, value);
  expect([...idle.keys()]).toEqual(['a', 'c']);
  expect(idle.put('d', 0)).toBe(false);
  expect(idle.put('a', 3)).toBe(true);
  const full = boundedMap<string, number>({ limit: 1, mayEvict: false });
  expect(['a', 'b', 'a'].map((key) => full.put(key, 0))).toEqual([true, false, true]);
});

test('a limit with a name is in the metrics', () => {
  const map = boundedMap<number, number>({ limit: 3, name: 'test_of_maps' });
  for (let at = 0; at < 100_000; at += 1) map.put(at, at);
  const labels = { limit: 'test_of_maps', state: 'entries' };
  expect(readLimits()).toContainEqual({ labels, value: 3 });
});
