// How much of their first pages two engines have in common. Two engines that use one index are one
// opinion, and a panel should not count it twice.
import type { SearchEngineId } from '@trivium/contract';
import type { Fusion } from './merge.ts';

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
  const lengths = new Map<SearchEngineId, number>();
  const shared = new Map<string, number>();
  const count = (engine: SearchEngineId, rank: number) => {
    if (rank <= comparedPages) lengths.set(engine, (lengths.get(engine) ?? 0) + 1);
  };
  for (const { sightings } of results) {
    const early = sightings.filter(({ rank }) => rank <= comparedPages).map(({ engine }) => engine);
    for (const { engine, rank } of sightings) count(engine, rank);
    for (const pair of pairsOf(early)) {
      const name = pair.join(' ');
      shared.set(name, (shared.get(name) ?? 0) + 1);
    }
  }
  for (const { engine, rank, reason } of leftOut) if (reason === 'below_top_k') count(engine, rank);
  return pairsOf([...lengths.keys()]).map((pair) => ({
    pair,
    compared: Math.min(lengths.get(pair[0]) ?? 0, lengths.get(pair[1]) ?? 0),
    shared: shared.get(pair.join(' ')) ?? 0,
  }));
}

/** The same of lists that were not merged: pages by an id that is equal for equal pages. */
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
