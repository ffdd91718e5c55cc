// What was decided about requests that the interface leaves open.
export const decisionsRequests = {
  'requests.freshness-with-dates': 'freshness together with a publication date gives a 400.',
  'requests.dates-crossed': 'published_after later than published_before gives a 400.',
  'requests.dates-impossible': 'A date that does not exist gives a 400.',
  'requests.issues.shape': 'detail is a list of issues, each with path, code and message.',
  'requests.issues.dotted-path': 'The path of an issue is the dotted name of the field.',
  'requests.issues.all-at-once': 'All errors of a request are reported together.',
  'requests.issues.strict':
    'A strict refusal has one issue for each warning, with the code of the warning.',
  'requests.strict.same-as-warnings':
    'strict refuses exactly what would warn before the provider is called.',
  'requests.strict.post-filter': 'strict refuses a request that would need a post-filter.',
  'requests.strict.never-calls': 'A strict refusal happens before the provider is called.',
  'requests.post-filter.counts':
    'A results_post_filtered says how many results of how many were removed.',
  'requests.post-filter.undated-kept': 'A date filter of the gateway keeps pages without a date.',
  'requests.post-filter.undated-counted': 'The message says how many undated pages were kept.',
  'requests.neutral.no-warning':
    'A value that asks for nothing never warns, and strict accepts it.',
  'requests.neutral.everywhere': 'On every engine a value that asks for nothing never warns.',
  'requests.neutral.defaults': 'A default that the caller did not write never warns.',
  'requests.snippets.exact':
    'The caps on snippets are honoured exactly by every engine, without a warning.',
  'requests.snippets.exact-engine-a':
    'The caps on snippets are honoured exactly on engine_a, without a warning.',
  'requests.max-chars.exact':
    'content.max_chars is cut at the exact length, without a warning, also under strict.',
  'requests.format.default': 'content.format is markdown unless the request says text.',
  'requests.format.text-ignored':
    'text from an engine with markdown only is markdown and a param_ignored.',
  'requests.category.nearest-means':
    'The approximation is the nearest means of the vendor, if it has one.',
  'requests.category.hint': 'Otherwise the approximation is one hint added to the query.',
  'requests.query-too-long.cut':
    'A query over the limit of the engine is cut at a word and warned about.',
  'requests.query-too-long.strict':
    'A query over the limit of the engine gives a 400 under strict.',
  'requests.options.deep-merge': 'Options are merged deeply; arrays and scalars are replaced.',
  'requests.options.targets-refused':
    'Options that name the pages of an extraction are refused with their path.',
  'requests.options.null-in-body': 'A null among the options is sent as null in a JSON body.',
  'requests.options.null-in-query':
    'A null among the options removes the parameter from a query string.',
  'requests.options.prototype-keys':
    'The keys __proto__, constructor and prototype are refused among options.',
  'requests.options.transport-stt-a': 'The transport keys of stt_a give a 400.',
  'requests.options.transport-stt-b': 'The transport keys of stt_b give a 400.',
  'requests.options.transport-stt-c': 'The transport keys of stt_c give a 400.',
  'requests.options.fusion-ignored':
    'provider_options.fusion is ignored when the provider is not fusion.',
  'requests.audio-url.private-host':
    'An audio_url on a literal private or loopback address is refused.',
  'requests.audio-url.length': 'An audio_url of more than 8192 characters is refused.',
  'requests.audio-url.sandbox-host':
    'In sandbox mode an audio_url on the sandbox itself is accepted.',
  'requests.audio-url.as-checked':
    'An audio_url with a back slash, a control character or white space inside gives a 400.',
  'requests.urls.as-checked':
    'A URL is sent as a browser spells it; back slashes and white space inside give a 400.',
  'requests.urls.too-long':
    'A URL that the provider cannot accept is in failed with the reason; others are fetched.',
  'requests.domains.bounds':
    'At most 1,200 domains of at most 2,000 characters are taken; more gives a 400.',
  'requests.domains.no-host':
    'A domain that cannot be a host on any engine gives a 400 with its path.',
  'requests.domains.as-written':
    'Wildcards, paths, suffixes and www. have the same meaning on every engine.',
  'requests.domains.international':
    'International names match their punycode form, and the other way round.',
  'requests.blank': 'A query or keyterm of white space gives a 400.',
  'requests.not-utf8': 'A body with bytes that are not UTF-8 gives a 400.',
  'requests.issues.bounded':
    'At most 50 errors are listed, each path cut to 200 characters, and the rest is counted.',
  'requests.urls.http-only': 'A URL to extract is http or https, else it is refused.',
  'requests.urls.no-credentials':
    'A URL to extract with a user name or a password in it is refused.',
  'requests.urls.duplicates': 'A URL that is listed twice is fetched once and answered twice.',
  'requests.urls.all-accounted':
    'results and failed together are the urls, each list in their order.',
  'requests.empty-page': 'A page without content, or a bot wall, is in failed with a reason.',
} as const;
