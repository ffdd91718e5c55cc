// Writes search answers as text, because `raw` must be returned exactly as received, and what the
// request log keeps of the results, so that the caller can report later which of them were useful:
// parts of their ids, never an address.
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import type { Fused, Listed } from './core/merge.ts';
import { pageKey } from '@trivium/shared/page-key';
import { answerId, resultId } from '../platform/ids.ts';
import type { Done } from '../billing/index.ts';
import type { Shown } from '../requests/index.ts';
import type { Found } from './search-engine.ts';

/** An answer without its id, its usage and its duration. */
export interface WrittenAnswer {
  provider: SearchEngineId | 'fusion';
  /** Each result as JSON text. */
  results: string[];
  warnings: Warning[];
  /** The vendor's answer apart from its results, if the caller wants it. */
  vendor?: object | undefined;
}

/** Everything except the charge and the duration, which are known last. */
export function writeResponse(
  requestId: string,
  { provider, results, warnings, vendor }: WrittenAnswer,
): Done['write'] {
  const id = answerId('srch', requestId);
  const head = `{"id":"${id}","provider":"${provider}","results":[${results.join(',')}]`;
  return (usage, latencyMs) =>
    `${head},${JSON.stringify({ warnings, usage, latency_ms: latencyMs, vendor }).slice(1)}`;
}

export function resultText(found: Found, rank: number): string {
  const id = resultId(pageKey(found.url));
  if (found.score !== undefined) return writeFields(id, found, found.score, false);
  return writeFields(id, found, Math.round(1_000_000 / rank) / 1_000_000, true);
}

export function fusedText(fused: Fused): string {
  return writeFields(resultId(fused.key), fused, fused.score, true);
}

/** Field by field: this runs for every result, and copying objects would be slow. */
function writeFields(id: string, page: Listed, score: number, isSynthesized: boolean): string {
  const text = JSON.stringify({
    id,
    url: page.url,
    title: page.title ?? null,
    snippets: page.snippets,
    full_text: page.full_text,
    summary: page.summary,
    published_date: page.published_date,
    author: page.author,
    score,
    score_synthesized: isSynthesized,
  });
  return `${text.slice(0, -1)},"raw":${page.raw}}`;
}

/** Callers report nothing about later results. */
const maxShown = 50;
/** Where the digits of its id are in the text of a result, and how many of them identify it. */
const idFrom = '{"id":"res_'.length;
const idDigits = 8;
const maxRank = 35;

/** `results` are texts as written above. */
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
