// What is counted of two engines, when it is shown, and how Prometheus reads it.
import { test } from 'bun:test';
import { expect, proves } from '../../../e2e/proves.ts';
import { readLimits } from '../platform/limit-gauges.ts';
import { makeMetrics } from '../platform/metrics.ts';
import {
  leastSearches,
  makeOverlapCounts,
  overlapOf,
  registerOverlap,
  shareOf,
} from './overlap.ts';

const pair = ['engine_a', 'engine_k'] as const;

test('searches add up, and a pair is shown once there are enough of them', () => {
  const counts = makeOverlapCounts();
  for (let search = 1; search < leastSearches; search += 1) {
    counts.add('acct_1', [{ pair, compared: 10, shared: 4 }]);
  }
  expect(overlapOf(counts, 'engine_a')).toBeUndefined();
  counts.add('acct_1', [
    { pair, compared: 5, shared: 5 },
    { pair: ['engine_a', 'engine_b'], compared: 10, shared: 9 },
  ]);
  proves('panel.overlap', () => {
    for (const [engine, provider] of [pair, pair.toReversed()] as const) {
      const shown = [{ provider, share: 0.415, searches: 20 }];
      expect<unknown>(overlapOf(counts, engine ?? 'engine_b')).toEqual(shown);
    }
  });
  expect(overlapOf(counts, 'engine_b')).toBeUndefined();
  const labels = { limit: 'overlap_engine_a_engine_k', state: 'entries' };
  expect(readLimits()).toContainEqual({ labels, value: 1 });
});

test('the engine with the most in common comes first', () => {
  const counts = makeOverlapCounts();
  for (let search = 0; search < leastSearches; search += 1) {
    counts.add('acct_1', [
      { pair: ['engine_a', 'engine_c'], compared: 10, shared: 2 },
      { pair, compared: 10, shared: 7 },
      { pair: ['engine_a', 'engine_b'], compared: 10, shared: 2 },
    ]);
  }
  expect(overlapOf(counts, 'engine_a')?.map(({ provider }) => provider)).toEqual([
    'engine_k',
    'engine_b',
    'engine_c',
  ]);
});

test('one account does not decide for others that two engines are one index', () => {
  const counts = makeOverlapCounts();
  const search = (account: string, times: number, shared: number) => {
    for (let at = 0; at < times; at += 1) counts.add(account, [{ pair, compared: 10, shared }]);
  };
  const known = (account: string) => shareOf(counts, 'engine_k', 'engine_a', account);
  search('acct_1', 119, 10);
  expect([known('acct_1'), known('acct_2'), known('constructor')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
  search('acct_2', 5, 1);
  search('acct_3', 4, 1);
  expect(known('acct_2')).toBeUndefined();
  // Several accounts decide, each with one vote.
  search('acct_3', 1, 1);
  for (const account of ['acct_1', 'acct_2', 'acct_4']) expect(known(account)).toBeCloseTo(0.4, 9);
});

test('the metrics are counters with both engines as labels', async () => {
  const metrics = makeMetrics();
  const counts = makeOverlapCounts();
  registerOverlap(metrics, counts);
  counts.add('acct_1', [{ pair, compared: 10, shared: 4 }]);
  counts.add('acct_1', [{ pair, compared: 8, shared: 1 }]);
  const { text } = await metrics.render();
  expect(text).toContain('# TYPE trivium_fusion_shared_pages_total counter');
  expect(text).toContain('trivium_fusion_shared_pages_total{one="engine_a",other="engine_k"} 5');
  expect(text).toContain('trivium_fusion_compared_pages_total{one="engine_a",other="engine_k"} 18');
});
