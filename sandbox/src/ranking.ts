// Ranks the corpus for one engine. Engines differ in boosts, in tolerance and in the part of the
// web they have crawled, so that they agree on some pages and differ on others.
import MiniSearch from 'minisearch';
import { corpus } from './corpus/index.ts';
import type { Kind, Page } from './corpus/page.ts';
import { seePage } from './corpus/page.ts';
import { share } from './fingerprint.ts';
import { nearness } from './nearness.ts';
import { isOnSite } from './sites.ts';
import { foldTerm, splitWords, termsOf } from './terms.ts';
import type { Passage } from './text.ts';
import { bestPassages } from './text.ts';

export type Engine = {
  name: string;
  boost: { title: number; topics: number; body: number };
  /** Share of a term's letters that may differ; 0 accepts exact terms only. */
  fuzzy: number;
  prefix: boolean;
  /** Share of the corpus that this engine has crawled. */
  coverage: number;
  /** Share of the query's terms that a page must hold. */
  least_match: number;
  /** Whether nearest subjects fill up the list when hardly a word matches. */
  neural: boolean;
};

export type Filters = {
  include_sites?: string[];
  exclude_sites?: string[];
  after?: Date;
  before?: Date;
  /** What a date filter does with pages that carry no date; it drops them unless told to keep. */
  undated?: 'keep' | 'drop';
  language?: string;
  country?: string;
  kinds?: Kind[];
  safe_only?: boolean;
};

/** Soft wishes: pages that meet them rise, the others stay. */
export type Preferences = { sites?: string[]; language?: string; country?: string };

export type Question = {
  engine: Engine;
  query: string;
  limit: number;
  offset?: number;
  filters?: Filters;
  prefer?: Preferences;
  /** How many passages each hit carries; three unless told. */
  passages?: number;
};

export type Hit = { page: Page; score: number; passages: Passage[] };
export type Found = { hits: Hit[]; total: number };

export function rank(question: Question, now: Date): Found {
  const { engine, query, limit, offset = 0 } = question;
  const allowed = new Map<string, Page>();
  for (const source of crawledBy(engine)) {
    const page = seePage(source, now);
    if (passes(page, question.filters ?? {})) allowed.set(page.url, page);
  }
  const weighed = weighByTerms(question, allowed);
  if (engine.neural && weighed.length < FEW) fillByNearness(query, weighed, allowed);
  const terms = termsOf(query);
  const hits = weighed.slice(offset, offset + limit).map(({ page, weight }) => ({
    page,
    score: Math.round((weight / (weight + HALF_WEIGHT)) * 1e6) / 1e6,
    passages: bestPassages(page.body, terms, question.passages ?? DEFAULT_PASSAGES),
  }));
  return { hits, total: weighed.length };
}

type Weighed = { page: Page; weight: number };

const FEW = 5;
const FILL_UP_TO = 10;
const LEAST_NEARNESS = 0.12;
const LEAST_OF_TOP = 0.1;
const LEAST_FUZZY_LENGTH = 6;
const PREFERENCE = 1.5;
const HALF_WEIGHT = 15;
const DEFAULT_PASSAGES = 3;
const indexes = new Map<string, MiniSearch>();

function crawledBy(engine: Engine): typeof corpus {
  return corpus.filter((source) => share(engine.name, source.url) < engine.coverage);
}

function indexOf(engine: Engine): MiniSearch {
  const known = indexes.get(engine.name);
  if (known !== undefined) return known;
  const index = new MiniSearch({
    idField: 'url',
    fields: ['title', 'topics', 'body'],
    tokenize: splitWords,
    processTerm: foldTerm,
  });
  index.addAll(crawledBy(engine).map((page) => ({ ...page, topics: page.topics.join(' ') })));
  indexes.set(engine.name, index);
  return index;
}

/** Each word costs a walk through the index; a real engine reads no essay either. */
const MOST_TERMS = 48;

function weighByTerms(question: Question, allowed: Map<string, Page>): Weighed[] {
  const { engine, query, prefer = {} } = question;
  const terms = termsOf(query).slice(0, MOST_TERMS);
  const wanted = Math.max(1, Math.ceil(terms.length * engine.least_match));
  const weighed: Weighed[] = [];
  // Terms that were folded once are the same when folded again.
  const matches = indexOf(engine).search(terms.join(' '), {
    boost: engine.boost,
    // A short word with one letter changed is another word.
    fuzzy: (term) => (term.length >= LEAST_FUZZY_LENGTH ? engine.fuzzy : false),
    prefix: engine.prefix,
  });
  for (const match of matches) {
    const page = allowed.get(String(match.id));
    if (page === undefined || new Set(match.queryTerms).size < wanted) continue;
    weighed.push({ page, weight: match.score * liking(page, prefer) });
  }
  weighed.sort(byWeight);
  const top = weighed[0]?.weight ?? 0;
  return weighed.filter(({ weight }) => weight >= top * LEAST_OF_TOP);
}

function fillByNearness(query: string, weighed: Weighed[], allowed: Map<string, Page>): void {
  const taken = new Set(weighed.map(({ page }) => page.url));
  const ceiling = weighed.at(-1)?.weight ?? 1;
  const near: Weighed[] = [];
  for (const page of allowed.values()) {
    const weight = nearness(query, page);
    if (!taken.has(page.url) && weight >= LEAST_NEARNESS) {
      near.push({ page, weight: weight * ceiling });
    }
  }
  near.sort(byWeight);
  weighed.push(...near.slice(0, FILL_UP_TO - weighed.length));
}

function byWeight(one: Weighed, other: Weighed): number {
  return other.weight - one.weight || (one.page.url < other.page.url ? -1 : 1);
}

function liking(page: Page, prefer: Preferences): number {
  let factor = 1;
  if (prefer.sites?.some((site) => isOnSite(page.url, site)) === true) factor *= PREFERENCE;
  if (prefer.language === page.language) factor *= PREFERENCE;
  if (prefer.country?.toUpperCase() === page.country) factor *= PREFERENCE;
  return factor;
}

function passes(page: Page, filters: Filters): boolean {
  const onSite = (site: string): boolean => isOnSite(page.url, site);
  const { include_sites = [], exclude_sites = [], kinds, language, country } = filters;
  if (include_sites.length > 0 && !include_sites.some(onSite)) return false;
  if (exclude_sites.some(onSite)) return false;
  if (kinds !== undefined && !kinds.includes(page.kind)) return false;
  if (language !== undefined && language.toLowerCase() !== page.language) return false;
  if (country !== undefined && country.toUpperCase() !== page.country) return false;
  if (filters.safe_only === true && page.unsafe) return false;
  return isInTime(page, filters);
}

function isInTime(page: Page, { after, before, undated = 'drop' }: Filters): boolean {
  if (after === undefined && before === undefined) return true;
  if (page.published === undefined) return undated === 'keep';
  if (after !== undefined && page.published < after) return false;
  return before === undefined || page.published <= before;
}
