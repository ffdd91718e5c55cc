// What the request log keeps of a search's results, so that its caller can report later which of
// them were useful: parts of their ids, never an address.
import type { SearchRequest } from '@trivium/contract';
import type { Shown } from '../requests/index.ts';
import type { Fused } from './core/merge.ts';

/** Callers report nothing about later results. */
const maxShown = 50;
/** Where the digits of its id are in the text of a result, and how many of them identify it. */
const idFrom = '{"id":"res_'.length;
const idDigits = 8;
const maxRank = 35;

/** `results` are the texts of `write-answer.ts`. */
export function shownOf(results: readonly string[], request: SearchRequest): Shown {
  let ids = '';
  const count = Math.min(results.length, maxShown);
  for (let at = 0; at < count; at += 1) ids += results[at]?.slice(idFrom, idFrom + idDigits);
  const { locale, category, freshness } = request;
  const language = locale?.language;
  if (language === undefined && category === undefined && freshness === undefined) return { ids };
  return { ids, asked_for: [language?.toLowerCase() ?? '', category ?? '', freshness ?? ''] };
}

export function shownOfFusion(
  results: readonly string[],
  request: SearchRequest,
  pages: readonly Pick<Fused, 'sightings'>[],
): Shown {
  const ranks: Record<string, string> = {};
  pages.slice(0, maxShown).forEach(({ sightings }, at) => {
    for (const { engine, rank } of sightings) {
      const digit = rank > maxRank ? '-' : rank.toString(36);
      ranks[engine] = (ranks[engine] ?? '').padEnd(at, '-') + digit;
    }
  });
  return { ...shownOf(results, request), ranks };
}
