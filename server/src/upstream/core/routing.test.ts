// The order of `auto`: by price, by latency, by weight, and otherwise as the operator wrote it.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { routings, type ProviderId } from '@trivium/contract';
import { makeLatencies, leastAnswers, routeCandidates, type Candidate } from './routing.ts';

const ids = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id);
const never = () => {
  throw new Error('chance is not needed');
};
const measured = (p50: number, answers = leastAnswers) => ({ p50_ms: p50, answers });

describe('the order', () => {
  test('is the fixed one unless the operator says otherwise', () => {
    const fixed: Candidate[] = [
      { id: 'engine_c', price: 9 },
      { id: 'engine_a', price: 1 },
    ];
    expect(ids(routeCandidates('order', fixed, never))).toEqual(['engine_c', 'engine_a']);
  });

  test('of prices has the cheapest first, ties as written, and who cannot serve last', () => {
    const candidates: Candidate[] = [
      { id: 'engine_a', price: undefined },
      { id: 'engine_b', price: 7 },
      { id: 'engine_c', price: 0 },
      { id: 'engine_d', price: 7 },
      { id: 'engine_e', price: undefined },
    ];
    const order = ids(routeCandidates('cheapest', candidates, never));
    expect(order).toEqual(['engine_c', 'engine_b', 'engine_d', 'engine_a', 'engine_e']);
  });

  test('of latencies tries first who is not measured, and then the fastest', () => {
    const candidates: Candidate[] = [
      { id: 'engine_a', measured: measured(900) },
      { id: 'engine_b', measured: measured(100) },
      { id: 'engine_c', measured: measured(1, leastAnswers - 1) },
      { id: 'engine_d' },
    ];
    const order = ids(routeCandidates('fastest', candidates, never));
    expect(order).toEqual(['engine_c', 'engine_d', 'engine_b', 'engine_a']);
  });

  test('by weight chooses each in proportion, and without a weight last', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const candidates: Candidate[] = [
      { id: 'engine_a' },
      { id: 'engine_b', weight: 1 },
      { id: 'engine_c', weight: 3 },
    ];
    const first = new Map<string, number>();
    for (let round = 0; round < 4000; round += 1) {
      const order = ids(routeCandidates('weighted', candidates, random));
      expect(order.at(-1)).toBe('engine_a');
      first.set(order[0] ?? '', (first.get(order[0] ?? '') ?? 0) + 1);
    }
    expect((first.get('engine_c') ?? 0) / 4000).toBeCloseTo(0.75, 1);
    expect((first.get('engine_b') ?? 0) / 4000).toBeCloseTo(0.25, 1);
  });

  test('contains every candidate once, whatever is known of it', () => {
    const candidate = fc.record({
      id: fc.constantFrom<ProviderId>('engine_a', 'engine_b', 'stt_a'),
      price: fc.option(fc.nat(), { nil: undefined }),
      weight: fc.option(fc.nat(10), { nil: undefined }),
      measured: fc.option(fc.record({ p50_ms: fc.nat(), answers: fc.nat(20) }), { nil: undefined }),
    });
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...routings),
        fc.array(candidate),
        chance,
        (kind, list, value) => {
          const order = routeCandidates(kind, list, () => value);
          expect(order.length).toBe(list.length);
          expect(new Set(order)).toEqual(new Set(list));
        },
      ),
    );
  });
});

describe('latencies', () => {
  test('are the median of the latest answers, and forgotten after an hour', () => {
    let now = 0;
    const latencies = makeLatencies(() => now);
    expect(latencies.measured('search', 'engine_a')).toBeUndefined();
    for (const ms of [50, 10, 40]) latencies.note('search', 'engine_a', ms);
    expect(latencies.measured('search', 'engine_a')).toEqual({ p50_ms: 40, answers: 3 });
    expect(latencies.measured('extract', 'engine_a')).toBeUndefined();
    expect(latencies.measured('search', '__proto__')).toBeUndefined();
    latencies.note('search', 'engine_a', 5);
    // A median is used for a second.
    expect(latencies.measured('search', 'engine_a')?.answers).toBe(3);
    now = 1000;
    expect(latencies.measured('search', 'engine_a')).toEqual({ p50_ms: 10, answers: 4 });
    now = 3_600_001;
    expect(latencies.measured('search', 'engine_a')).toBeUndefined();
  });

  test('keep a bounded number of answers', () => {
    let now = 0;
    const latencies = makeLatencies(() => now);
    for (let at = 0; at < 10_000; at += 1) latencies.note('search', 'engine_a', at);
    now = 5000;
    expect(latencies.measured('search', 'engine_a')).toEqual({ p50_ms: 9949, answers: 101 });
  });
});
