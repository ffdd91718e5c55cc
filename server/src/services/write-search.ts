// Writes search answers as text, because `raw` has to go out exactly as it came in.
import type { SearchEngineId, Warning } from '@trivium/contract';
import type { Fused } from '../domain/fusion.ts';
import { pageKey } from '../domain/page-key.ts';
import { scoreOf } from '../domain/score.ts';
import { newSearchId, sha256Hex } from '../platform/ids.ts';
import type { Done } from './charge.ts';
import type { Found } from './search-one.ts';

export interface SearchAnswer {
  provider: SearchEngineId | 'fusion';
  /** Each result as JSON text. */
  results: string[];
  warnings: Warning[];
}

/** All but what is known last: what was charged, and how long it took. */
export function writeResponse({ provider, results, warnings }: SearchAnswer): Done['write'] {
  const head = `{"id":"${newSearchId()}","provider":"${provider}","results":[${results.join(',')}]`;
  return (usage, latency_ms) =>
    `${head},${JSON.stringify({ warnings, usage, latency_ms }).slice(1)}`;
}

export function resultText({ raw, score, ...found }: Found, rank: number): string {
  return shown(resultId(pageKey(found.url)), { ...found, ...scoreOf(score, rank) }, raw);
}

export function fusedText(fused: Fused): string {
  const { url, title, snippets, full_text, summary, published_date, author, score } = fused;
  const page = { url, title, snippets, full_text, summary, published_date, author, score };
  return shown(resultId(fused.key), { ...page, score_synthesized: true }, fused.raw);
}

/** The same page has the same id in every search. */
export function resultId(key: string): string {
  return `res_${sha256Hex(key).slice(0, 16)}`;
}

type Shown = Omit<Found, 'raw' | 'snippets'> & {
  snippets: readonly string[];
  score_synthesized: boolean;
};

function shown(id: string, page: Shown, raw: string): string {
  const { url, title, snippets, ...more } = page;
  const text = JSON.stringify({ id, url, title: title ?? null, snippets, ...more });
  return `${text.slice(0, -1)},"raw":${raw}}`;
}
