// Suggests the known word that a mistyped one most likely meant.
import type { z } from 'zod';

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

/** The field of an object that was most likely meant, in any spelling or by another API's name. */
export function closestField(typed: string, known: readonly string[]): string | undefined {
  if (typed === '' || typed.length > maxTypedChars) return undefined;
  const name = typed.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const sameMeaning = synonyms.filter((group) => group.includes(name)).flat();
  return sameMeaning.find((one) => known.includes(one)) ?? closest(name, known);
}

/**
 * Names that mean the same, here and in other APIs. The first one that an object has is suggested.
 */
const synonyms: readonly (readonly string[])[] = [
  [
    'max_results',
    'max_pages',
    'num_results',
    'results',
    'count',
    'limit',
    'size',
    'top_k',
    'k',
    'n',
  ],
  ['published_after', 'start_date', 'start_published_date', 'after', 'since', 'freshness'],
  ['published_before', 'end_date', 'end_published_date', 'before', 'until', 'freshness'],
  ['freshness', 'time_range', 'days', 'recency'],
  ['provider', 'engine', 'engines', 'vendor'],
  ['category', 'topic'],
  ['include_domains', 'site', 'sites', 'domain', 'domains'],
  ['query', 'q', 'search', 'question', 'prompt'],
  ['urls', 'url', 'links', 'ids'],
  ['audio_url', 'url', 'audio', 'file'],
  ['language', 'language_code', 'locale'],
  ['diarize', 'diarization', 'speaker_labels'],
  ['keyterms', 'keywords', 'word_boost'],
  ['offset', 'page', 'skip', 'start'],
  ['mode', 'depth', 'search_depth'],
  ['max_cost_usd', 'budget', 'cost', 'max_cost'],
  ['id', 'search_id', 'job_id'],
  ['cited', 'used', 'useful'],
  ['opened', 'read'],
  ['rejected', 'useless'],
];

/**
 * Given to zod as `error`, adds the fields that the object has to an issue about unknown ones.
 * Sets no message.
 */
export const addKnownFields = {
  error: (issue: z.core.$ZodRawIssue): undefined => {
    if (issue.code !== 'unrecognized_keys') return;
    const { shape = {} } = (issue.inst?._zod.def ?? {}) as { shape?: object };
    issue['known'] = Object.keys(shape);
  },
};

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
