// What is counted of two engines, when it is shown, and how Prometheus reads it.
import { expect, test } from 'bun:test';
import { makeMetrics } from '../platform/metrics.ts';
import { leastSearches, makeOverlapCounts, overlapOf, registerOverlap } from './overlap-counts.ts';

const pair = ['engine_a', 'engine_k'] as const;

test('searches add up, and a pair is shown once there are enough of them', () => {
  const counts = makeOverlapCounts();
  for (let search = 1; search < leastSearches; search += 1) {
    counts.add([{ pair, compared: 10, shared: 4 }]);
  }
  expect(overlapOf(counts, 'engine_a')).toBeUndefined();
  counts.add([
    { pair, compared: 5, shared: 5 },
    { pair: ['engine_a', 'engine_b'], compared: 10, shared: 9 },
  ]);
  expect(overlapOf(counts, 'engine_a')).toEqual([
    { provider: 'engine_k', share: 0.415, searches: leastSearches },
  ]);
  expect(overlapOf(counts, 'engine_k')).toEqual([
    { provider: 'engine_a', share: 0.415, searches: leastSearches },
  ]);
  expect(overlapOf(counts, 'engine_b')).toBeUndefined();
});

test('the engine with the most in common comes first', () => {
  const counts = makeOverlapCounts();
  for (let search = 0; search < leastSearches; search += 1) {
    counts.add([
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

test('the metrics are counters with both engines as labels', async () => {
  const metrics = makeMetrics();
  const counts = makeOverlapCounts();
  registerOverlap(metrics, counts);
  counts.add([{ pair, compared: 10, shared: 4 }]);
  counts.add([{ pair, compared: 8, shared: 1 }]);
  const { text } = await metrics.render();
  expect(text).toContain('# TYPE trivium_fusion_shared_pages_total counter');
  expect(text).toContain('trivium_fusion_shared_pages_total{one="engine_a",other="engine_k"} 5');
  expect(text).toContain('trivium_fusion_compared_pages_total{one="engine_a",other="engine_k"} 18');
});
