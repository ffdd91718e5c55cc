// What each engine does with the parameters of a search.
export const searchEngines = {
  'search-engines.max-results.cap-engine-c':
    'engine_c stops at 20 results and warns with param_approximated.',
  'search-engines.max-results.cap-engine-d':
    'engine_d stops at 20 results and warns with param_approximated.',
  'search-engines.mode.engine-a': 'engine_a is sent instant, fast, auto or deep.',
  'search-engines.mode.engine-b': 'engine_b is sent turbo, fast, basic or advanced.',
  'search-engines.mode.engine-c': 'engine_c is sent ultra-fast, fast, basic or advanced.',
  'search-engines.mode.default': 'Without mode an engine runs on its own default tier.',
  'search-engines.mode.single-tier': 'An engine with a single tier ignores mode with a warning.',
  'search-engines.include-domains.native':
    'engine_a supports included domains natively, without a warning.',
  'search-engines.include-domains.native-elsewhere':
    'Most other engines support included domains natively too.',
  'search-engines.include-domains.site-operators':
    'Engines d and e are sent included domains as site: operators.',
  'search-engines.exclude-domains.native':
    'engine_a supports excluded domains natively, without a warning.',
  'search-engines.exclude-domains.native-elsewhere':
    'Most other engines support excluded domains natively too.',
  'search-engines.exclude-domains.site-operators':
    'Engines d and e are sent excluded domains as -site: operators.',
  'search-engines.published-after.inclusive':
    'A page published on the day of published_after is included.',
  'search-engines.published-before.inclusive':
    'A page published on the day of published_before is included.',
  'search-engines.freshness.rolling':
    'freshness is a window that ends now and moves with the clock.',
  'search-engines.full-text.native-a': 'engine_a returns full_text without a warning.',
  'search-engines.full-text.native-c': 'engine_c returns full_text without a warning.',
  'search-engines.full-text.ignored-elsewhere':
    'The other engines ignore content.full_text with a warning.',
  'search-engines.summary.native-a': 'engine_a returns a summary without a warning.',
  'search-engines.summary.ignored-elsewhere':
    'The other engines ignore content.summary with a warning.',
  'search-engines.locale.native': 'Engines c, d and e support country and language natively.',
  'search-engines.locale.elsewhere': 'The other engines warn about a locale they cannot honour.',
  'search-engines.category.news-index': 'news goes to the news index of an engine that has one.',
  'search-engines.category.native-a': 'engine_a supports company, people and research natively.',
  'search-engines.category.approximated-elsewhere':
    'The other engines approximate company, people and research.',
  'search-engines.safe-search.native': 'Engines d and e support safe_search natively.',
  'search-engines.safe-search.ignored-by-a': 'engine_a ignores safe_search with a warning.',
  'search-engines.safe-search.ignored-elsewhere':
    'All engines but d and e ignore safe_search with a warning.',
  'search-engines.offset.native': 'Engines d and e support an offset natively.',
  'search-engines.offset.ignored-by-a': 'engine_a ignores an offset with a warning.',
  'search-engines.offset.ignored-elsewhere':
    'All engines but d and e ignore an offset with a warning.',
} as const;
