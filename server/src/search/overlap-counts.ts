// Counts, in memory and since the start, how much the members of fusion panels have in common: for
// the metrics, for GET /v1/providers, and for operators who choose a panel.
import type { ProviderId, ProviderOverlap } from '@trivium/contract';
import type { Metrics } from '../platform/metrics.ts';
import type { PairOverlap } from './core/overlap.ts';

/** Everything counted for two engines. */
interface CountedPair extends PairOverlap {
  /** The fusions and shadow calls in which both returned pages. */
  searches: number;
}

export interface OverlapCounts {
  add: (found: readonly PairOverlap[]) => void;
  list: () => readonly CountedPair[];
}

/** With fewer searches, a share says more about those searches than about the engines. */
export const leastSearches = 20;

export function makeOverlapCounts(): OverlapCounts {
  const counts = new Map<string, CountedPair>();
  return {
    add: (found) => {
      for (const { pair, compared, shared } of found) {
        const name = pair.join(' ');
        const known = counts.get(name);
        if (!known) counts.set(name, { pair, compared, shared, searches: 1 });
        else {
          known.compared += compared;
          known.shared += shared;
          known.searches += 1;
        }
      }
    },
    list: () => [...counts.values()],
  };
}

/**
 * What one engine has in common with others, highest share first. Undefined while too little is
 * known.
 */
export function overlapOf(
  counts: OverlapCounts,
  engine: ProviderId,
): ProviderOverlap[] | undefined {
  const known = counts
    .list()
    .filter(({ pair, searches }) => pair.some((one) => one === engine) && searches >= leastSearches)
    .map(({ pair: [one, other], compared, shared, searches }) => ({
      provider: one === engine ? other : one,
      share: Number((shared / compared).toFixed(3)),
      searches,
    }))
    .toSorted((one, other) => other.share - one.share || (one.provider < other.provider ? -1 : 1));
  return known.length > 0 ? known : undefined;
}

/** Of two engines; undefined while little is known. */
export function shareOf(counts: OverlapCounts, one: string, other: string): number | undefined {
  const known = counts.list().find(({ pair }) => {
    const [first, second] = pair as readonly string[];
    return (first === one && second === other) || (first === other && second === one);
  });
  return known && known.searches >= leastSearches ? known.shared / known.compared : undefined;
}

export function registerOverlap(metrics: Metrics, counts: OverlapCounts): void {
  const labelNames = ['one', 'other'];
  const read = (value: (pair: CountedPair) => number) => () =>
    counts.list().map((counted) => ({
      labels: { one: counted.pair[0], other: counted.pair[1] },
      value: value(counted),
    }));
  metrics.total(
    'trivium_fusion_compared_pages_total',
    'Places among the first ten at which two members of a panel could have had the same page.',
    labelNames,
    read(({ compared }) => compared),
  );
  metrics.total(
    'trivium_fusion_shared_pages_total',
    'Pages among the first ten of both of two members of a panel.',
    labelNames,
    read(({ shared }) => shared),
  );
}
