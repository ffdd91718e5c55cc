// How much of their first pages two engines have in common. Two engines that use one index are one
// opinion, and a panel should not count it twice. Counted in memory and since the start: for the
// metrics, for GET /v1/providers, and for operators who choose a panel.
import type { ProviderId, ProviderOverlap, SearchEngineId } from '@trivium/contract';
import { type BoundedMap, boundedMap } from '../platform/bounded-map.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Fusion } from './core/merge.ts';

/** Two members of a panel that both returned pages. */
export interface PairOverlap {
  /** The two engine ids in alphabetical order. */
  pair: readonly [SearchEngineId, SearchEngineId];
  /** How many pages could have been in both lists: the length of the shorter one, at most ten. */
  compared: number;
  /** How many pages were in both. */
  shared: number;
}

const comparedPages = 10;

/** Compares every pair of members, using what the merge already found. */
export function compareMembers({ results, left_out: leftOut }: Fusion): PairOverlap[] {
  const lists = new Map<SearchEngineId, string[]>();
  const put = ({ engine, rank }: { engine: SearchEngineId; rank: number }, page: string) => {
    const pages = lists.get(engine) ?? [];
    pages[rank - 1] = page;
    lists.set(engine, pages);
  };
  for (const { key, sightings } of results) for (const one of sightings) put(one, key);
  // No other member returned these pages.
  for (const one of leftOut) if (one.reason === 'below_top_k') put(one, one.url);
  return compareLists([...lists].map(([engine, pages]) => ({ engine, pages })));
}

/** Compares every pair of lists. Equal pages have equal ids. */
export function compareLists(
  lists: readonly { engine: SearchEngineId; pages: readonly string[] }[],
): PairOverlap[] {
  const first = new Map(
    lists
      .filter(({ pages }) => pages.length > 0)
      .map(({ engine, pages }) => [engine, new Set(pages.slice(0, comparedPages))]),
  );
  return pairsOf([...first.keys()]).map((pair) => {
    const [one, other] = [first.get(pair[0]) ?? new Set(), first.get(pair[1]) ?? new Set()];
    const compared = Math.min(one.size, other.size);
    return { pair, compared, shared: one.intersection(other).size };
  });
}

function pairsOf(engines: readonly SearchEngineId[]): [SearchEngineId, SearchEngineId][] {
  const sorted = engines.toSorted();
  return sorted.flatMap((one, at) =>
    sorted.slice(at + 1).map((other): [SearchEngineId, SearchEngineId] => [one, other]),
  );
}

/** Everything counted for two engines. */
interface CountedPair extends PairOverlap {
  /** The fusions and shadow calls in which both returned pages. */
  searches: number;
}

type Counted = Omit<CountedPair, 'pair'>;

/** With fewer searches, a share says more about those searches than about the engines. */
export const leastSearches = 20;
/** At least this many accounts, with this many searches each, decide for others. */
const [leastAccounts, leastOfAccount] = [3, 5];
/** For each pair. Further accounts count only in the totals. */
const maxAccounts = 1000;

export type OverlapCounts = ReturnType<typeof makeOverlapCounts>;

export function makeOverlapCounts() {
  const counts = new Map<string, CountedPair>();
  const accounts = new Map<string, BoundedMap<string, Counted>>();
  const none = { compared: 0, shared: 0, searches: 0 };
  return {
    add: (accountId: string, found: readonly PairOverlap[]) => {
      for (const { pair, compared, shared } of found) {
        const name = pair.join(' ');
        const add = (one: Counted) => ({
          compared: one.compared + compared,
          shared: one.shared + shared,
          searches: one.searches + 1,
        });
        counts.set(name, { pair, ...add(counts.get(name) ?? none) });
        const limits = { limit: maxAccounts, name: `overlap_${pair.join('_')}` };
        const ofPair = accounts.get(name) ?? boundedMap({ ...limits, mayEvict: false });
        accounts.set(name, ofPair);
        ofPair.put(accountId, add(ofPair.get(accountId) ?? none));
      }
    },
    list: () => [...counts.values()],
    /** By account. */
    listAccounts: (pair: string): ReadonlyMap<string, Counted> => accounts.get(pair) ?? new Map(),
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

/**
 * The share of two engines for the searches of an account: the mean of several accounts, or else the
 * account's own. Undefined while little is known.
 */
export function shareOf(
  counts: OverlapCounts,
  one: string,
  other: string,
  accountId: string,
): number | undefined {
  const accounts = counts.listAccounts([one, other].toSorted().join(' '));
  const votes = [...accounts.values()].filter(({ searches }) => searches >= leastOfAccount);
  const searches = votes.reduce((sum, vote) => sum + vote.searches, 0);
  if (votes.length >= leastAccounts && searches >= leastSearches) {
    return votes.reduce((sum, vote) => sum + vote.shared / vote.compared, 0) / votes.length;
  }
  const own = accounts.get(accountId);
  return own && own.searches >= leastSearches ? own.shared / own.compared : undefined;
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
