// Suggests the known word that a mistyped one most likely meant.

/** The closest word, or undefined if none is close. */
export function closest(
  typed: string,
  known: readonly string[],
  maxDistance = Infinity,
): string | undefined {
  if (typed.length > maxTypedChars) return undefined;
  const near = known
    .map((word) => ({ word, distance: word.startsWith(typed) ? 1 : distanceOf(typed, word) }))
    .filter(
      ({ word, distance }) =>
        distance <= Math.min(maxDistance, Math.max(1, Math.floor(word.length / 3))),
    )
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.word;
}

/** Longer than any word that could be meant. */
const maxTypedChars = 40;

/** A sentence to append to an error; empty if there is nothing to suggest. */
export function didYouMean(typed: string, known: readonly string[], prefix = ''): string {
  const word = closest(typed, known);
  return word === undefined ? '' : ` Did you mean ${prefix}${word}?`;
}

/** Levenshtein distance. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
