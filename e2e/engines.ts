// The engines by the names of the interface, and the sandbox path of each.
import { extractEngineIds, searchEngineIds } from '@trivium/contract';
import type { Mount } from './vendor-settings.ts';

export const searchEngines = searchEngineIds;
export type SearchEngine = (typeof searchEngines)[number];

export const extractEngines = extractEngineIds;
export type ExtractEngine = (typeof extractEngines)[number];

export const searchMounts: Readonly<Record<SearchEngine, Mount>> = {
  engine_a: '/exa',
  engine_b: '/parallel',
  engine_c: '/tavily',
  engine_d: '/brave',
  engine_e: '/serper',
  engine_f: '/firecrawl',
  engine_g: '/linkup',
  engine_h: '/valyu',
  engine_i: '/jina-search',
  engine_j: '/you',
  engine_k: '/perplexity',
};

export const extractMounts: Readonly<Record<ExtractEngine, Mount>> = {
  engine_a: '/exa',
  engine_b: '/parallel',
  engine_c: '/tavily',
  engine_e: '/serper-scrape',
  engine_f: '/firecrawl',
  engine_g: '/linkup',
  engine_h: '/valyu',
  engine_i: '/jina-reader',
  engine_j: '/you',
};

/** The engines that are not among the given ones. */
export function searchEnginesBut(...few: SearchEngine[]): SearchEngine[] {
  return searchEngines.filter((engine) => !few.includes(engine));
}

export function extractEnginesBut(...few: ExtractEngine[]): ExtractEngine[] {
  return extractEngines.filter((engine) => !few.includes(engine));
}
