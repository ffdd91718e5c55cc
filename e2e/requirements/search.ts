// Searches: requests, engines, fusion and responses.
export const search = {
  // What a search may ask for, and which values are refused.
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
  // What each engine does with the parameters of a search.
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
  // Fusion: several engines, one list.
  'fusion.providers.known-engines':
    'The members of a fusion are engines; anything else among them is refused.',
  'fusion.providers.default-panel':
    'The panel is engines a, b, j and k unless the request names another.',
  'fusion.providers.intersected': 'The default panel is reduced to the configured engines.',
  'fusion.providers.named': 'A panel that the request names is the one that runs.',
  'fusion.timeout.integer': 'A fusion timeout_ms that is not a whole number is refused.',
  'fusion.timeout.default': 'A member has ten seconds unless the request says otherwise.',
  'fusion.timeout.retried-once': 'A member still running at its deadline is called once more.',
  'fusion.timeout.dropped':
    'A member that is late twice is dropped with a warning, and the others answer.',
  'fusion.top-k.integer': 'A top_k that is not a whole number is refused.',
  'fusion.top-k.default': 'The top three of every member stay unless the request says otherwise.',
  'fusion.top-k.always-kept': 'The first top_k results of every member are always kept.',
  'fusion.top-k.deeper-needs-two':
    'A deeper result stays only if at least two engines returned it.',
  'fusion.top-k.full-union': 'With a top_k of ten or more and ten results each, nothing is lost.',
  'fusion.max-results.sizes-members':
    'max_results sizes the list of each member, not the merged one.',
  'fusion.fans-out': 'Every member of the panel is called.',
  'fusion.merges-by-consensus': 'A page that several members returned is one result.',
  'fusion.cost.default-panel': 'A fusion with the default panel costs about two cents.',
  'fusion.accepts-only-known-keys': 'An unknown key in provider_options.fusion is refused.',
  // The answer to a search, field by field.
  'search-response.id': 'The answer has the id of the search.',
  'search-response.provider': 'The answer names the engine that served it.',
  'search-response.provider-resolved-from-auto':
    'With auto the answer names the engine that was picked.',
  'search-response.provider-fusion': 'With fusion the answer names fusion.',
  'search-response.results': 'The answer lists the results, also when there are none.',
  'search-response.warnings': 'The answer always has a list of warnings.',
  'search-response.usage': 'The answer always has its usage.',
  'search-response.latency': 'The answer says how many milliseconds it took.',
  'search-response.latency-fusion': 'With fusion the latency is about that of the slowest member.',
  'search-response.nothing-else': 'The answer and its results have only the documented fields.',
  'search-result.url': 'Every result has the URL as the engine gave it.',
  'search-result.title': 'Every result has a title, or null.',
  'search-result.snippets': 'Every result has a list of snippets.',
  'search-result.snippets-from-every-engine': 'Every engine fills the snippets.',
  'search-result.snippets-engine-a': 'The snippets of engine_a are its highlights.',
  'search-result.snippets-engine-b': 'The snippets of engine_b are its excerpts.',
  'search-result.snippets-engine-c': 'The snippet of engine_c is its content.',
  'search-result.snippets-engine-d': 'The snippets of engine_d are its descriptions.',
  'search-result.snippets-engine-e': 'The snippets of engine_e are its snippets.',
  'search-result.full-text': 'full_text is present only if it was requested and the engine has it.',
  'search-result.summary': 'summary is present only if it was requested and the engine has it.',
  'search-result.score-native':
    'The score of engines a, c and h is their own when their answer has one.',
  'search-result.score-rank-derived': 'The score of the other engines follows from the rank.',
  'search-result.score-fusion':
    'The score of a fused page is the number of engines that returned it.',
  'search-result.score-synthesized':
    'score_synthesized is true when we made the score, false when the engine did.',
  'search-result.published-date':
    'published_date is an ISO 8601 date, left out when it is not known.',
  'search-result.author': 'author is left out when it is not known.',
  'search-result.raw-verbatim': 'raw is the result object of the engine, untouched.',
  'search-result.raw-always': 'Every result has raw.',
  'search-result.raw-fusion':
    'raw of a fused page holds the object of every engine that returned it, by engine.',
} as const;
