// The study on a public collection: retrievers act as engines, and pages are missing at random.
import type { Collection } from './judged-collection.ts';
import { choices, compare } from './compare.ts';
import type { Comparison, Lists } from './compare.ts';
import { depth } from './metrics.ts';
import { drawFor } from './random.ts';
import { makeRetrievers } from './retrievers.ts';

/** The share of the documents that each member does not know. */
export const missingShares = [0, 0.25, 0.5] as const;
/** Without missing pages every draw is the same. */
const lotsDrawn = 5;
const panelSize = 4;

export interface Study {
  collection: Collection;
  /** One for each share of missing pages. */
  comparisons: Comparison[];
}

export function studyCollection(collection: Collection): Study {
  const retrievers = [...makeRetrievers(collection.documents)];
  const positions = new Map(collection.documents.map(({ id }, at) => [id, at]));
  const rankings = collection.questions.map(({ text }) =>
    retrievers.map(([, retrieve]) => retrieve(text)),
  );
  const grades = collection.questions.map(
    (question) =>
      new Map([...question.grades].map(([id, grade]) => [positions.get(id) ?? -1, grade])),
  );
  const members = retrievers.map(([name]) => name);
  const panels = choices(members.length, panelSize);
  const comparisons = missingShares.map((share) => {
    const lots = Array.from({ length: share === 0 ? 1 : lotsDrawn }, (_, lot) =>
      drawLists(rankings, knownPages(collection, members, share, lot)),
    );
    return compare({ members, panels, grades, lots });
  });
  return { collection, comparisons };
}

/** Which documents each member knows. The draw depends only on the ids, not on a ranking. */
export function knownPages(
  { documents }: Pick<Collection, 'documents'>,
  members: readonly string[],
  missingShare: number,
  lot: number,
): boolean[][] {
  return members.map((member) =>
    documents.map(({ id }) => drawFor(`${lot}/${member}/${id}`) >= missingShare),
  );
}

function drawLists(
  rankings: readonly (readonly (readonly number[])[])[],
  known: readonly (readonly boolean[])[],
): Lists {
  return rankings.map((byMember) =>
    byMember.map((ranking, member) => firstKnown(ranking, known[member] ?? [])),
  );
}

function firstKnown(ranking: readonly number[], known: readonly boolean[]): number[] {
  const list: number[] = [];
  for (const page of ranking) {
    if (known[page]) list.push(page);
    if (list.length === depth) break;
  }
  return list;
}
