// Fusion: merges the lists of several engines, ordered by the evidence of their ranks. The same
// lists produce the same bytes, in whichever order the engines answered.
import type { SearchEngineId } from '@trivium/contract';
import { pageKey } from '@trivium/shared/page-key';
import { cutTo, type Hit } from '../../providers/index.ts';

/** A result of one engine, with its own object as the text that was received. */
export interface Listed extends Omit<Hit, 'item' | 'score' | 'published_year' | 'snippets'> {
  snippets: readonly string[];
  raw: string;
}

export interface FusionRules extends SnippetCaps {
  /** How many of each engine's first results are always kept. */
  top_k: number;
}

/** The rank at which an engine returned the page. Duplicates are not counted. */
interface Sighting {
  engine: SearchEngineId;
  rank: number;
}

export interface Fused extends Listed {
  key: string;
  snippets: string[];
  /** The number of engines that returned the page. */
  score: number;
  /** The evidence of the ranks for the page, as a whole number; see `evidenceOf`. */
  evidence: number;
  /** In the order of the panel. */
  sightings: Sighting[];
}

interface LeftOut extends Sighting {
  url: string;
  reason: 'repeated' | 'below_top_k';
}

export interface Fusion {
  results: Fused[];
  /** Ordered by panel position and rank. */
  left_out: LeftOut[];
}

/**
 * One first place weighs as much as two fourth, three seventh or four tenth places. A larger offset
 * would merely count engines, and push down a page that only one of them knows: see
 * docs/consensus.md.
 */
const rankOffset = 2;
/**
 * With whole numbers, the sum does not depend on its order. For every panel it stays far below
 * 2^53.
 */
const evidenceScale = 1_000_000_000_000;

/** What one rank adds to the evidence for a page. */
export function evidenceOf(rank: number): number {
  return Math.floor(evidenceScale / (rankOffset + rank));
}

export function fuse(
  panel: readonly SearchEngineId[],
  lists: ReadonlyMap<SearchEngineId, readonly Listed[]>,
  rules: FusionRules,
): Fusion {
  const leftOut: LeftOut[] = [];
  const pages = [...gather(panel, lists, leftOut).values()];
  const kept = pages.filter((page) => survives(page, rules.top_k));
  for (const page of pages) {
    if (!survives(page, rules.top_k)) leftOut.push(...page.seen.map(leftBelow));
  }
  const placeOf = ({ engine }: Sighting) => panel.indexOf(engine);
  leftOut.sort((one, other) => placeOf(one) - placeOf(other) || one.rank - other.rank);
  return { results: kept.sort(byEvidence).map((page) => merge(page, rules)), left_out: leftOut };
}

interface Seen extends Sighting {
  position: number;
  found: Listed;
}

interface FusedPage {
  key: string;
  /** At most one per engine, in the order of the panel. */
  seen: Seen[];
  bestRank: number;
  /** The panel position of the engine with the best rank. */
  bestPosition: number;
  evidence: number;
}

function gather(
  panel: readonly SearchEngineId[],
  lists: ReadonlyMap<SearchEngineId, readonly Listed[]>,
  leftOut: LeftOut[],
): Map<string, FusedPage> {
  const pages = new Map<string, FusedPage>();
  panel.forEach((engine, position) => {
    let rank = 1;
    for (const found of lists.get(engine) ?? []) {
      const key = pageKey(found.url);
      const known = pages.get(key);
      const page = known ?? { key, seen: [], bestRank: Infinity, bestPosition: 0, evidence: 0 };
      if (page.seen.at(-1)?.engine === engine) {
        leftOut.push({ engine, rank, url: found.url, reason: 'repeated' });
        continue;
      }
      pages.set(key, page);
      addSighting(page, { engine, rank, position, found });
      rank += 1;
    }
  });
  return pages;
}

/** Engines come in panel order, so among equal ranks the first one wins. */
function addSighting(page: FusedPage, seen: Seen): void {
  page.seen.push(seen);
  page.evidence += evidenceOf(seen.rank);
  if (seen.rank < page.bestRank) {
    page.bestRank = seen.rank;
    page.bestPosition = seen.position;
  }
}

function survives(page: FusedPage, topK: number): boolean {
  return page.seen.length >= 2 || page.bestRank <= topK;
}

function byEvidence(one: FusedPage, other: FusedPage): number {
  return (
    other.evidence - one.evidence ||
    other.seen.length - one.seen.length ||
    one.bestRank - other.bestRank ||
    one.bestPosition - other.bestPosition ||
    (one.key < other.key ? -1 : 1)
  );
}

function leftBelow({ engine, rank, found }: Seen): LeftOut {
  return { engine, rank, url: found.url, reason: 'below_top_k' };
}

/** Each field comes from the engine that ranked the page best among those that have the field. */
function merge({ key, seen, evidence }: FusedPage, rules: FusionRules): Fused {
  const ranked = seen
    .toSorted((one, other) => one.rank - other.rank || one.position - other.position)
    .map(({ found }) => found);
  const urls = ranked.map(({ url }) => url);
  const raws = seen.map(({ engine, found }) => `"${engine}":${found.raw}`);
  const snippets = new Set(ranked.flatMap((found) => found.snippets));
  return {
    key,
    url: urls.find((url) => /^\s*https:/i.test(url)) ?? urls[0] ?? '',
    title: firstFilled(ranked, 'title'),
    snippets: capSnippets([...snippets], rules),
    full_text: firstFilled(ranked, 'full_text'),
    summary: firstFilled(ranked, 'summary'),
    published_date: firstFilled(ranked, 'published_date'),
    author: firstFilled(ranked, 'author'),
    score: seen.length,
    evidence,
    sightings: seen.map(({ engine, rank }) => ({ engine, rank })),
    raw: `{"providers":{${raws.join(',')}}}`,
  };
}

function firstFilled(
  ranked: readonly Listed[],
  field: 'title' | 'full_text' | 'summary' | 'published_date' | 'author',
): string | undefined {
  return ranked.find((found) => found[field])?.[field];
}

interface SnippetCaps {
  max_per_result?: number | undefined;
  max_chars_per_snippet?: number | undefined;
}

/** Exactly as many excerpts, and exactly as long, as a caller allows. */
export function capSnippets(snippets: readonly string[], caps: SnippetCaps): string[] {
  const { max_per_result, max_chars_per_snippet } = caps;
  const counted = snippets.slice(0, max_per_result);
  if (max_chars_per_snippet === undefined) return counted;
  return counted.map((snippet) => cutTo(snippet, max_chars_per_snippet));
}
