// What a caller reports about the results of a search, and what that means for the search.

/** Cited in an answer, opened to be read, or found useless. */
export type Verdict = 'cited' | 'opened' | 'rejected';

/** Ids of results. */
type FeedbackMessage = Readonly<Partial<Record<Verdict, readonly string[]>>>;

/**
 * The rule for several statements about one result. Within one message, a result that is cited and
 * opened counts as cited, one that is opened and rejected counts as rejected, and one that is cited
 * and rejected counts as neither. A later message replaces what an earlier one said about the same
 * result, and a repeated one changes nothing.
 */
export function applyFeedback(
  known: ReadonlyMap<string, Verdict>,
  message: FeedbackMessage,
): Map<string, Verdict> {
  const cited = new Set(message.cited);
  const opened = new Set(message.opened);
  const rejected = new Set(message.rejected);
  const verdicts = new Map(known);
  for (const id of opened) verdicts.set(id, 'opened');
  for (const id of cited) verdicts.set(id, 'cited');
  for (const id of rejected) {
    if (cited.has(id)) verdicts.delete(id);
    else verdicts.set(id, 'rejected');
  }
  return verdicts;
}

/** A page that was read is worth something; one that was used in the answer is worth the most. */
const worth: Readonly<Record<Verdict, number>> = { cited: 1, opened: 0.5, rejected: -0.25 };

/**
 * From 0 to 1: the worth of the results, each divided by the logarithm of its position, so that a
 * useful page at the top counts most. A citation at the top is a perfect search. Undefined if
 * nothing is reported about any returned result.
 */
export function qualityByFeedback(
  results: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): number | undefined {
  let isKnown = false;
  let sum = 0;
  results.forEach((id, index) => {
    const verdict = verdicts.get(id);
    if (verdict === undefined) return;
    isKnown = true;
    sum += worth[verdict] / Math.log2(index + 2);
  });
  return isKnown ? Math.min(1, Math.max(0, sum)) : undefined;
}

/** How many results were useful, for the price of a useful result. */
export function countUseful(
  results: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): number {
  return results.filter((id) => {
    const verdict = verdicts.get(id);
    return verdict === 'cited' || verdict === 'opened';
  }).length;
}

const idDigits = 8;
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

/** The first letter of each result's verdict, or a dash if nothing was reported. */
export function writeVerdicts(
  results: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): string {
  return results.map((id) => verdicts.get(id)?.charAt(0) ?? '-').join('');
}

const allVerdicts = ['cited', 'opened', 'rejected'] as const;

export function readVerdicts(results: readonly string[], text: string): Map<string, Verdict> {
  return new Map(
    results.flatMap((id, at) =>
      allVerdicts.filter((verdict) => verdict[0] === text[at]).map((verdict) => [id, verdict]),
    ),
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
