// The quality of an engine's answer without judgements: how much it agrees with what the other
// engines of a panel return for the same query. An engine never votes on itself, engines that share
// an index count as one opinion, and a page that all of them return says little about any of them.
import { discountedGain, usualDepth } from './ranking-metrics.ts';

/** What one engine returned for a query: the pages in its order, empty for an empty answer. */
interface RankedAnswer<Engine extends string = string> {
  engine: Engine;
  pages: readonly string[];
}

interface AnswerComparison {
  /** From 0 to 1; undefined if fewer than two other opinions returned anything. */
  agreement: number | undefined;
  /** How many of its first pages no other engine returned. */
  unique: number;
  /** How many of its pages were compared. */
  compared: number;
}

/** Two engines that share more of their first pages than this are assumed to use the same index. */
const sharedIndexFrom = 0.7;

/** With fewer observations than this an engine is not compared. */
export const leastObservations = 10;

/** With fewer other opinions there is nothing to agree with. */
export const leastOpinions = 2;

/**
 * A first place weighs about twice as much as a tenth. Fusion weighs first places more, but here it
 * matters more that a page is in the other lists than where; see docs/choosing.md.
 */
const rankOffset = 10;

/**
 * Groups engines by opinion: the engines of a group share an index, directly or through another
 * engine of the group. `overlapOf` is the share of pages that two have in common, if it is known.
 */
export function opinionsOf<Engine extends string>(
  engines: readonly Engine[],
  overlapOf: (one: Engine, other: Engine) => number | undefined,
): Engine[][] {
  const groups: Engine[][] = [];
  for (const engine of engines) {
    const isNear = (group: readonly Engine[]) =>
      group.some((other) => (overlapOf(engine, other) ?? 0) > sharedIndexFrom);
    const joined = groups.filter(isNear);
    const rest = groups.filter((group) => !joined.includes(group));
    groups.splice(0, groups.length, ...rest, [...joined.flat(), engine]);
  }
  return groups;
}

/**
 * Compares each answer with those of the other opinions. Without groups, each engine is an opinion.
 */
export function compareAnswers<Engine extends string>(
  answers: readonly RankedAnswer<Engine>[],
  opinions: readonly (readonly Engine[])[] = answers.map(({ engine }) => [engine]),
): Map<Engine, AnswerComparison> {
  const lists = answers.map(({ engine, pages }) => ({
    engine,
    opinion: opinions.findIndex((group) => group.includes(engine)),
    ranks: ranksOf(pages),
  }));
  return new Map(
    lists.map((own) => {
      const others = lists.filter((one) => one !== own);
      const pages = [...own.ranks.keys()];
      return [
        own.engine,
        {
          agreement: agreementWith(
            pages,
            votesOf(others.filter(({ opinion }) => opinion < 0 || opinion !== own.opinion)),
          ),
          unique: pages.filter((page) => !others.some(({ ranks }) => ranks.has(page))).length,
          compared: pages.length,
        },
      ];
    }),
  );
}

type Ranks = ReadonlyMap<string, number>;

function ranksOf(pages: readonly string[]): Ranks {
  return new Map([...new Set(pages)].slice(0, usualDepth).map((page, index) => [page, index + 1]));
}

/** The best rank of each page in each opinion. Opinions that returned nothing have no vote. */
function votesOf(lists: readonly { opinion: number; ranks: Ranks }[]): Ranks[] {
  const votes = new Map<number, Map<string, number>>();
  lists.forEach(({ opinion, ranks }, at) => {
    if (ranks.size === 0) return;
    // An engine that is in no group is an opinion of its own.
    const voter = opinion < 0 ? -1 - at : opinion;
    const best = votes.get(voter) ?? new Map<string, number>();
    votes.set(voter, best);
    for (const [page, rank] of ranks) best.set(page, Math.min(rank, best.get(page) ?? rank));
  });
  return [...votes.values()];
}

function agreementWith(pages: readonly string[], votes: readonly Ranks[]): number | undefined {
  if (votes.length < leastOpinions) return undefined;
  const worth = worthOfPages(votes);
  const best = [...worth.values()].toSorted((one, other) => other - one).slice(0, usualDepth);
  const gains = pages.map((page) => worth.get(page) ?? 0);
  return Math.min(1, discountedGain(gains) / discountedGain(best));
}

/** The value of each page by the votes. Pages that many opinions have are worth less. */
function worthOfPages(votes: readonly Ranks[]): Map<string, number> {
  const sums = new Map<string, { sum: number; holders: number }>();
  for (const ranks of votes) {
    for (const [page, rank] of ranks) {
      const known = sums.get(page) ?? { sum: 0, holders: 0 };
      sums.set(page, known);
      known.sum += 1 / (rankOffset + rank);
      known.holders += 1;
    }
  }
  return new Map(
    [...sums].map(([page, { sum, holders }]) => [page, sum * rarity(holders, votes.length)]),
  );
}

/** How rare a page is among the opinions, including the engine's own. */
function rarity(holders: number, opinions: number): number {
  return Math.log((opinions + 1) / holders) / Math.sqrt(holders);
}
