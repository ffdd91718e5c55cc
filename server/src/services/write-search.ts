// Writes search answers as text, because `raw` has to go out exactly as it came in.
import type { SearchEngineId, Warning } from '@trivium/contract';
import type { Fused } from '../domain/fusion.ts';
import { pageKey } from '../domain/page-key.ts';
import { scoreOf } from '../domain/score.ts';
import type { Score } from '../domain/score.ts';
import { newSearchId, sha256Hex } from '../platform/ids.ts';
import type { Done } from './charge.ts';
import type { Found } from './search-one.ts';

export interface SearchAnswer {
  provider: SearchEngineId | 'fusion';
  /** Each result as JSON text. */
  results: string[];
  warnings: Warning[];
  /** What the vendor said beside its results, where that is wanted. */
  vendor?: object;
}

/** All but what is known last: what was charged, and how long it took. */
export function writeResponse({
  provider,
  results,
  warnings,
  vendor,
}: SearchAnswer): Done['write'] {
  const head = `{"id":"${newSearchId()}","provider":"${provider}","results":[${results.join(',')}]`;
  return (usage, latency_ms) =>
    `${head},${JSON.stringify({ warnings, usage, latency_ms, vendor }).slice(1)}`;
}

export function resultText(found: Found, rank: number): string {
  return shown(resultId(pageKey(found.url)), found, scoreOf(found.score, rank));
}

export function fusedText(fused: Fused): string {
  return shown(resultId(fused.key), fused, { score: fused.score, score_synthesized: true });
}

/** The same page has the same id in every search. */
export function resultId(key: string): string {
  return `res_${sha256Hex(key).slice(0, 16)}`;
}

type Page = Omit<Found, 'item' | 'score' | 'snippets'> & { snippets: readonly string[] };

/** Each field by its name: this runs for every result, and copying objects is what would cost. */
function shown(id: string, page: Page, { score, score_synthesized }: Score): string {
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
    score_synthesized,
  });
  return `${text.slice(0, -1)},"raw":${page.raw}}`;
}
