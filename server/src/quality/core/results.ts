// The results of a search as the request log keeps them, and what a caller said about each.
import type { Verdict } from './feedback.ts';

const idDigits = 8;
const letters: Readonly<Record<Verdict, string>> = { cited: 'c', opened: 'o', rejected: 'r' };
const verdictOf = new Map<string, Verdict>([
  ['c', 'cited'],
  ['o', 'opened'],
  ['r', 'rejected'],
]);

/** In the order of the answer. Each is a part of the result's id. */
export function readResults(ids: string): string[] {
  return Array.from({ length: Math.floor(ids.length / idDigits) }, (_, at) =>
    ids.slice(at * idDigits, (at + 1) * idDigits),
  );
}

/** The part of an id that the log keeps. */
export function partOfId(resultId: string): string {
  return resultId.slice('res_'.length, 'res_'.length + idDigits);
}

/** One letter for each result, or a dash if nothing was reported. */
export function writeVerdicts(
  results: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): string {
  return results
    .map((id) => {
      const verdict = verdicts.get(id);
      return verdict === undefined ? '-' : letters[verdict];
    })
    .join('');
}

export function readVerdicts(results: readonly string[], text: string): Map<string, Verdict> {
  return new Map(
    results.flatMap((id, at) => {
      const verdict = verdictOf.get(text[at] ?? '');
      return verdict === undefined ? [] : [[id, verdict]];
    }),
  );
}

/**
 * The results as one member of a fusion ranked them. Pages that did not reach the answer leave
 * gaps, because callers cannot report anything about them.
 */
export function resultsOfMember(results: readonly string[], ranks: string): string[] {
  const own: string[] = [];
  results.forEach((id, at) => {
    const rank = Number.parseInt(ranks[at] ?? '', 36);
    if (rank > 0) own[rank - 1] = id;
  });
  return Array.from(own, (id) => id ?? '');
}
