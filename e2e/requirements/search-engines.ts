// What each engine does with the parameters of a search.
import type { Requirement } from '../requirement.ts';

export const searchEngines = [
  {
    id: 'search-engines.max-results.cap-engine-c',
    says: 'engine_c stops at 20 results and warns with param_approximated.',
  },
  {
    id: 'search-engines.max-results.cap-engine-d',
    says: 'engine_d stops at 20 results and warns with param_approximated.',
  },
  { id: 'search-engines.mode.engine-a', says: 'engine_a is sent instant, fast, auto or deep.' },
  {
    id: 'search-engines.mode.engine-b',
    says: 'engine_b is sent turbo, fast, basic or advanced.',
  },
  {
    id: 'search-engines.mode.engine-c',
    says: 'engine_c is sent ultra-fast, fast, basic or advanced.',
  },
  {
    id: 'search-engines.mode.default',
    says: 'Without mode an engine runs on its own default tier.',
  },
  {
    id: 'search-engines.mode.single-tier',
    says: 'An engine with a single tier ignores mode with a warning.',
  },
  {
    id: 'search-engines.include-domains.native',
    says: 'engine_a supports included domains natively, without a warning.',
  },
  {
    id: 'search-engines.include-domains.native-elsewhere',
    says: 'Most other engines support included domains natively too.',
  },
  {
    id: 'search-engines.include-domains.site-operators',
    says: 'Engines d and e are sent included domains as site: operators.',
  },
  {
    id: 'search-engines.exclude-domains.native',
    says: 'engine_a supports excluded domains natively, without a warning.',
  },
  {
    id: 'search-engines.exclude-domains.native-elsewhere',
    says: 'Most other engines support excluded domains natively too.',
  },
  {
    id: 'search-engines.exclude-domains.site-operators',
    says: 'Engines d and e are sent excluded domains as -site: operators.',
  },
  {
    id: 'search-engines.published-after.inclusive',
    says: 'A page published on the day of published_after is included.',
  },
  {
    id: 'search-engines.published-before.inclusive',
    says: 'A page published on the day of published_before is included.',
  },
  {
    id: 'search-engines.freshness.rolling',
    says: 'freshness is a window that ends now and moves with the clock.',
  },
  {
    id: 'search-engines.full-text.native-a',
    says: 'engine_a returns full_text without a warning.',
  },
  {
    id: 'search-engines.full-text.native-c',
    says: 'engine_c returns full_text without a warning.',
  },
  {
    id: 'search-engines.full-text.ignored-elsewhere',
    says: 'The other engines ignore content.full_text with a warning.',
  },
  { id: 'search-engines.summary.native-a', says: 'engine_a returns a summary without a warning.' },
  {
    id: 'search-engines.summary.ignored-elsewhere',
    says: 'The other engines ignore content.summary with a warning.',
  },
  {
    id: 'search-engines.locale.native',
    says: 'Engines c, d and e support country and language natively.',
  },
  {
    id: 'search-engines.locale.elsewhere',
    says: 'The other engines warn about a locale they cannot honour.',
  },
  {
    id: 'search-engines.category.news-index',
    says: 'news goes to the news index of an engine that has one.',
  },
  {
    id: 'search-engines.category.native-a',
    says: 'engine_a supports company, people and research natively.',
  },
  {
    id: 'search-engines.category.approximated-elsewhere',
    says: 'The other engines approximate company, people and research.',
  },
  {
    id: 'search-engines.safe-search.native',
    says: 'Engines d and e support safe_search natively.',
  },
  {
    id: 'search-engines.safe-search.ignored-by-a',
    says: 'engine_a ignores safe_search with a warning.',
  },
  {
    id: 'search-engines.safe-search.ignored-elsewhere',
    says: 'All engines but d and e ignore safe_search with a warning.',
  },
  {
    id: 'search-engines.offset.native',
    says: 'Engines d and e support an offset natively.',
  },
  { id: 'search-engines.offset.ignored-by-a', says: 'engine_a ignores an offset with a warning.' },
  {
    id: 'search-engines.offset.ignored-elsewhere',
    says: 'All engines but d and e ignore an offset with a warning.',
  },
] as const satisfies readonly Requirement[];
