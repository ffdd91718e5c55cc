// What a search may ask for, and which values are refused.
export const searchRequest = {
  'search.accepts-only-known-keys': 'An unknown key in a search request is refused.',
  'search.query.required': 'A search without a query is refused.',
  'search.query.not-empty': 'An empty query is refused.',
  'search.query.string': 'A query that is not a string is refused.',
  'search.query.as-typed': 'Keyword engines d and e are sent the query as it was typed.',
  'search.query.neural':
    'Engines a and b are sent the query as natural language, without operators.',
  'search.provider.default-auto': 'A search that names no provider is served as auto.',
  'search.max-results.integer': 'A max_results that is not a whole number is refused.',
  'search.max-results.default-ten': 'A search without max_results asks for ten results.',
  'search.max-results.honoured': 'A search returns at most max_results results.',
  'search.mode.values': 'mode is instant, fast, balanced or deep.',
  'search.include-domains.items-not-empty': 'An empty string among include_domains is refused.',
  'search.exclude-domains.items-not-empty': 'An empty string among exclude_domains is refused.',
  'search.published-after.pattern': 'published_after is written YYYY-MM-DD.',
  'search.published-before.pattern': 'published_before is written YYYY-MM-DD.',
  'search.freshness.values': 'freshness is day, week, month or year.',
  'search.content.accepts-only-known-keys':
    'An unknown key in content is refused, also one level deeper.',
  'search.content.full-text.boolean': 'A content.full_text that is not a boolean is refused.',
  'search.content.summary.boolean': 'A content.summary that is not a boolean is refused.',
  'search.content.snippets.integers': 'The caps on snippets are whole numbers.',
  'search.locale.country-pattern': 'locale.country is two letters, in either case.',
  'search.locale.language-pattern': 'locale.language is two letters, in either case.',
  'search.locale.accepts-only-known-keys': 'An unknown key in locale is refused.',
  'search.category.values': 'category is general, news, company, people or research.',
  'search.safe-search.values': 'safe_search is off, moderate or strict.',
  'search.offset.integer': 'An offset that is not a whole number is refused.',
  'search.strict.boolean': 'A strict that is not a boolean is refused.',
  'search.strict.default-false':
    'Without strict a request that cannot be honoured warns and is served.',
  'search.strict.refuses': 'With strict a parameter the engine cannot honour gives a 400.',
  'search.strict.not-with-fusion': 'strict together with fusion gives a 400.',
  'search.provider-options.keys':
    'provider_options accepts the keys engine_a to engine_k and fusion, and no other.',
  'search.provider-options.objects':
    'The options of an engine are an object whose values may be null.',
  'search.provider-options.verbatim': 'The serving engine receives its options unchanged.',
  'search.provider-options.uninspected': 'Unknown options are passed on without an error.',
  'search.provider-options.others-ignored':
    'The options of another engine are ignored without a warning.',
} as const;
