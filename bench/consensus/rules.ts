// The ways to merge ranked lists that the study compares, all under fusion's rule of survival.

/** The ranks of a page with the members of a panel. */
interface Standing {
  page: number;
  /** One for each member that listed the page. */
  ranks: number[];
  bestRank: number;
  /** Panel position of the member with the best rank. */
  bestPosition: number;
}

export interface Rule {
  name: string;
  /** The larger comes first. Whole numbers, so that equal scores are equal. */
  evidence: (standing: Standing) => number;
}

/** The default of a request: how many of each member's first results are always kept. */
const topK = 3;
const listLength = 10;
const scale = 1e12;

const sumOver = (offset: number) => (standing: Standing) =>
  sum(standing.ranks.map((rank) => Math.floor(scale / (offset + rank))));

export const countingFirst: Rule = {
  name: 'counting first',
  evidence: (standing) => standing.ranks.length * scale + sumOver(60)(standing),
};
export const twoPlusRank: Rule = { name: '2 + rank (fusion)', evidence: sumOver(2) };

export const rules: readonly Rule[] = [
  countingFirst,
  twoPlusRank,
  { name: '1/rank', evidence: sumOver(0) },
  { name: '60 + rank', evidence: sumOver(60) },
  {
    name: 'round robin',
    evidence: ({ bestRank, bestPosition }) => -(bestRank * scale + bestPosition),
  },
  {
    name: 'Borda',
    evidence: ({ ranks }) => sum(ranks.map((rank) => Math.max(0, listLength + 1 - rank))),
  },
];

/** Every page of the lists that fusion would keep. */
export function gatherStandings(lists: readonly (readonly number[])[]): Standing[] {
  const standings = new Map<number, Standing>();
  lists.forEach((list, position) => {
    list.forEach((page, index) => {
      const rank = index + 1;
      const known = standings.get(page);
      if (!known) {
        standings.set(page, { page, ranks: [rank], bestRank: rank, bestPosition: position });
        return;
      }
      known.ranks.push(rank);
      if (rank < known.bestRank) {
        known.bestRank = rank;
        known.bestPosition = position;
      }
    });
  });
  return [...standings.values()].filter(
    ({ ranks, bestRank }) => ranks.length >= 2 || bestRank <= topK,
  );
}

export function orderBy(rule: Rule, standings: readonly Standing[]): number[] {
  return standings
    .map((standing) => ({ standing, evidence: rule.evidence(standing) }))
    .sort(
      (one, other) =>
        other.evidence - one.evidence ||
        other.standing.ranks.length - one.standing.ranks.length ||
        one.standing.bestRank - other.standing.bestRank ||
        one.standing.bestPosition - other.standing.bestPosition ||
        one.standing.page - other.standing.page,
    )
    .map(({ standing }) => standing.page);
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
