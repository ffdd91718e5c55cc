// Fusion: merges the lists of several engines by consensus.
// The same lists give the same bytes, whoever answered first.
import type { SearchEngineId } from '@trivium/contract';
import { pageKey } from './page-key.ts';
import { capSnippets } from './text.ts';
import type { SnippetCaps } from './text.ts';

/** A result of one engine, its own object as the text it came in. */
export interface Listed {
  url: string;
  title?: string | undefined;
  snippets: readonly string[];
  full_text?: string | undefined;
  summary?: string | undefined;
  published_date?: string | undefined;
  author?: string | undefined;
  raw: string;
}

export interface FusionRules extends SnippetCaps {
  /** How many of each engine's first results are always kept. */
  top_k: number;
}

/** Where an engine had the page, repeats not counted. */
export interface Sighting {
  engine: SearchEngineId;
  rank: number;
}

export interface Fused extends Listed {
  key: string;
  snippets: string[];
  /** The number of engines that returned the page. */
  score: number;
  /** In the order of the panel. */
  sightings: Sighting[];
}

export interface LeftOut extends Sighting {
  url: string;
  reason: 'repeated' | 'below_top_k';
}

export interface Fusion {
  results: Fused[];
  /** By panel position and rank. */
  left_out: LeftOut[];
}

/** The published constant of reciprocal rank fusion: one high rank must not outweigh agreement. */
const rank_offset = 60;
/** Reciprocal ranks are summed as whole numbers, so that no order depends on rounding. */
const rank_scale = 1_000_000_000_000;

export function fuse(
  panel: readonly SearchEngineId[],
  lists: ReadonlyMap<SearchEngineId, readonly Listed[]>,
  rules: FusionRules,
): Fusion {
  const left_out: LeftOut[] = [];
  const pages = [...gather(panel, lists, left_out).values()];
  const kept = pages.filter((page) => survives(page, rules.top_k));
  for (const page of pages) {
    if (!survives(page, rules.top_k)) left_out.push(...page.seen.map(leftBelow));
  }
  left_out.sort(byPanelAndRank(panel));
  return { results: kept.sort(byConsensus).map((page) => merge(page, rules)), left_out };
}

interface Seen extends Sighting {
  position: number;
  found: Listed;
}

interface FusedPage {
  key: string;
  /** At most one for each engine, in the order of the panel. */
  seen: Seen[];
  best_rank: number;
  /** Panel position of the engine with the best rank. */
  best_position: number;
  reciprocal_sum: number;
}

function gather(
  panel: readonly SearchEngineId[],
  lists: ReadonlyMap<SearchEngineId, readonly Listed[]>,
  left_out: LeftOut[],
): Map<string, FusedPage> {
  const pages = new Map<string, FusedPage>();
  panel.forEach((engine, position) => {
    let rank = 1;
    for (const found of lists.get(engine) ?? []) {
      const key = pageKey(found.url);
      const page = pages.get(key) ?? newPage(key);
      if (page.seen.at(-1)?.engine === engine) {
        left_out.push({ engine, rank, url: found.url, reason: 'repeated' });
        continue;
      }
      pages.set(key, page);
      see(page, { engine, rank, position, found });
      rank += 1;
    }
  });
  return pages;
}

function newPage(key: string): FusedPage {
  return { key, seen: [], best_rank: Infinity, best_position: 0, reciprocal_sum: 0 };
}

/** Engines come in panel order, so of equal ranks the first one stands. */
function see(page: FusedPage, seen: Seen): void {
  page.seen.push(seen);
  page.reciprocal_sum += Math.floor(rank_scale / (rank_offset + seen.rank));
  if (seen.rank < page.best_rank) {
    page.best_rank = seen.rank;
    page.best_position = seen.position;
  }
}

function survives(page: FusedPage, top_k: number): boolean {
  return page.seen.length >= 2 || page.best_rank <= top_k;
}

function byConsensus(one: FusedPage, other: FusedPage): number {
  return (
    other.seen.length - one.seen.length ||
    other.reciprocal_sum - one.reciprocal_sum ||
    one.best_rank - other.best_rank ||
    one.best_position - other.best_position ||
    (one.key < other.key ? -1 : 1)
  );
}

function leftBelow({ engine, rank, found }: Seen): LeftOut {
  return { engine, rank, url: found.url, reason: 'below_top_k' };
}

function byPanelAndRank(panel: readonly SearchEngineId[]) {
  return (one: LeftOut, other: LeftOut) =>
    panel.indexOf(one.engine) - panel.indexOf(other.engine) || one.rank - other.rank;
}

/** Each field comes from the engine that ranked the page best among those that have it. */
function merge({ key, seen }: FusedPage, rules: FusionRules): Fused {
  const ranked = seen
    .toSorted((one, other) => one.rank - other.rank || one.position - other.position)
    .map(({ found }) => found);
  const urls = ranked.map(({ url }) => url);
  const snippets = new Set(ranked.flatMap((found) => found.snippets));
  return {
    key,
    url: urls.find(isSecure) ?? urls[0] ?? '',
    title: firstFilled(ranked, 'title'),
    snippets: capSnippets([...snippets], rules),
    full_text: firstFilled(ranked, 'full_text'),
    summary: firstFilled(ranked, 'summary'),
    published_date: firstFilled(ranked, 'published_date'),
    author: firstFilled(ranked, 'author'),
    score: seen.length,
    sightings: seen.map(({ engine, rank }) => ({ engine, rank })),
    raw: rawOf(seen),
  };
}

function isSecure(url: string): boolean {
  return /^\s*https:/i.test(url);
}

type Text = 'title' | 'full_text' | 'summary' | 'published_date' | 'author';

function firstFilled(ranked: readonly Listed[], field: Text): string | undefined {
  return ranked.find((found) => found[field])?.[field];
}

function rawOf(seen: readonly Seen[]): string {
  const entries = seen.map(({ engine, found }) => `"${engine}":${found.raw}`);
  return `{"providers":{${entries.join(',')}}}`;
}
