// The quality of an engine's answer without judgements: how far it agrees with what the other
// engines of a panel return for the same query. An engine never votes about itself, engines that
// share an index are one opinion, and a page that all of them return says little about any.
import { discountedGain, usualDepth } from './ranking-metrics.ts';

/** What one engine returned for a query: the pages in its order, none for an empty answer. */
export interface RankedAnswer<Engine extends string = string> {
  engine: Engine;
  pages: readonly string[];
}

export interface AnswerComparison {
  /** From 0 to 1; undefined where fewer than two other opinions returned anything. */
  agreement: number | undefined;
  /** How many of its first pages no other engine returned. */
  unique: number;
  /** How many of its pages were compared. */
  compared: number;
}

/** Two engines that share more of their first pages than this are taken to be on one index. */
export const sharedIndexFrom = 0.7;

/** Fewer other opinions are no panel. */
export const leastOpinions = 2;

/**
 * A first place weighs about twice as much as a tenth. Fusion's order prefers first places more,
 * but here each page of the other lists is a witness, and what counts is that it is there; see
 * docs/choosing.md.
 */
const rankOffset = 10;

/**
 * Engines in groups of one opinion: those of a group share an index, directly or through another
 * one of the group. `overlapOf` is the share of pages that two have in common, if it is known.
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

/** Compares each answer with those of the other opinions. Without groups, each is its own. */
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

/** The best rank of each page with each opinion. Opinions that returned nothing have no vote. */
function votesOf(lists: readonly { opinion: number; ranks: Ranks }[]): Ranks[] {
  const votes = new Map<number, Map<string, number>>();
  lists.forEach(({ opinion, ranks }, at) => {
    if (ranks.size === 0) return;
    // An engine that no group names is an opinion of its own.
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

/** What the votes say for each page, less the more of them have it. */
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

/** How rare a page is among the opinions, the own one included. */
function rarity(holders: number, opinions: number): number {
  return Math.log((opinions + 1) / holders) / Math.sqrt(holders);
}
