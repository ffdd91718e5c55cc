// Ranks the corpus for one engine. Engines differ in boosts, in tolerance and in the part of the
// corpus they index, so that they agree on some pages and differ on others.
import MiniSearch from 'minisearch';
import { corpus } from './corpus/index.ts';
import type { Kind, Page } from './corpus/page.ts';
import { seePage } from './corpus/page.ts';
import { share } from './fingerprint.ts';
import { similarity } from './similarity.ts';
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
  /** Share of the corpus that this engine indexes. */
  coverage: number;
  /** Share of the query's terms that a page must contain. */
  least_match: number;
  /** Whether pages on related subjects fill the list when few words match. */
  neural: boolean;
};

export type Filters = {
  include_sites?: string[];
  exclude_sites?: string[];
  after?: Date;
  before?: Date;
  /** Whether a date filter keeps pages without a date; by default it drops them. */
  undated?: 'keep' | 'drop';
  language?: string;
  country?: string;
  kinds?: Kind[];
  safe_only?: boolean;
};

/** Preferences: matching pages rank higher, the others are kept. */
export type Preferences = { sites?: string[]; language?: string; country?: string };

export type Question = {
  engine: Engine;
  query: string;
  limit: number;
  offset?: number;
  filters?: Filters;
  prefer?: Preferences;
  /** How many passages each hit has; three by default. */
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
  if (engine.neural && weighed.length < few) fillByNearness(query, weighed, allowed);
  const terms = termsOf(query);
  const hits = weighed.slice(offset, offset + limit).map(({ page, weight }) => ({
    page,
    score: Math.round((weight / (weight + halfWeight)) * 1e6) / 1e6,
    passages: bestPassages(page.body, terms, question.passages ?? defaultPassages),
  }));
  return { hits, total: weighed.length };
}

type Weighed = { page: Page; weight: number };

const few = 5;
const fillUpTo = 10;
const leastNearness = 0.12;
const leastOfTop = 0.1;
const leastFuzzyLength = 6;
const preference = 1.5;
const halfWeight = 15;
const defaultPassages = 3;
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

/** Each word costs an index lookup; real engines limit the length of a query as well. */
const maxTerms = 48;

function weighByTerms(question: Question, allowed: Map<string, Page>): Weighed[] {
  const { engine, query, prefer = {} } = question;
  const terms = termsOf(query).slice(0, maxTerms);
  const wanted = Math.max(1, Math.ceil(terms.length * engine.least_match));
  const weighed: Weighed[] = [];
  // Folding is idempotent.
  const matches = indexOf(engine).search(terms.join(' '), {
    boost: engine.boost,
    // A short word with one letter changed is another word.
    fuzzy: (term) => (term.length >= leastFuzzyLength ? engine.fuzzy : false),
    prefix: engine.prefix,
  });
  for (const match of matches) {
    const page = allowed.get(String(match.id));
    if (page === undefined || new Set(match.queryTerms).size < wanted) continue;
    weighed.push({ page, weight: match.score * liking(page, prefer) });
  }
  weighed.sort(byWeight);
  const top = weighed[0]?.weight ?? 0;
  return weighed.filter(({ weight }) => weight >= top * leastOfTop);
}

function fillByNearness(query: string, weighed: Weighed[], allowed: Map<string, Page>): void {
  const taken = new Set(weighed.map(({ page }) => page.url));
  const ceiling = weighed.at(-1)?.weight ?? 1;
  const near: Weighed[] = [];
  for (const page of allowed.values()) {
    const weight = similarity(query, page);
    if (!taken.has(page.url) && weight >= leastNearness) {
      near.push({ page, weight: weight * ceiling });
    }
  }
  near.sort(byWeight);
  weighed.push(...near.slice(0, fillUpTo - weighed.length));
}

function byWeight(one: Weighed, other: Weighed): number {
  return other.weight - one.weight || (one.page.url < other.page.url ? -1 : 1);
}

function liking(page: Page, prefer: Preferences): number {
  let factor = 1;
  if (prefer.sites?.some((site) => isOnSite(page.url, site)) === true) factor *= preference;
  if (prefer.language === page.language) factor *= preference;
  if (prefer.country?.toUpperCase() === page.country) factor *= preference;
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
