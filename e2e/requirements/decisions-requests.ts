// What was decided about requests, results, transcription and the surface.
export const decisionsRequests = {
  // What was decided about requests that the interface leaves open.
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
  // What was decided about the fields of a result.
  'results.score.rank': 'A synthesized score is one divided by the rank, to six decimals.',
  'results.score.missing-native':
    'An engine that usually scores but did not is scored by rank as well.',
  'results.published-date.day': 'published_date is written YYYY-MM-DD.',
  'results.published-date.uncertain': 'A date that cannot be read with certainty is left out.',
  'results.odd-item': 'An item that cannot be read is left out and counted; the others are served.',
  'results.unreadable':
    'An answer that is unreadable as a whole, however deep it is nested, gives a 502.',
  'results.date.two-readings':
    'A date with two readings is left out; relative dates are read up to years.',
  'results.freshness-day': 'freshness: day is approximated on every engine that knows dates only.',
  'results.title.null': 'A title that is missing or empty is null.',
  'results.raw.key-order': 'raw keeps the keys in the order in which they arrived.',
  'results.latency.whole': 'latency_ms is a whole number of milliseconds, zero or more.',
  // What was decided about transcription jobs.
  'jobs.model-in-202': 'The model in the 202 is the one that is named to the provider.',
  'jobs.raw.as-received':
    "What a provider returned for a completed job is read byte for byte at the job's raw.",
  'jobs.raw.own-account': 'The raw document of a job does not exist for another account.',
  'jobs.raw.counted': 'Raw documents count towards what their account stores.',
  'jobs.raw.marked': 'The raw document of an incomplete transcript is marked.',
  'jobs.sandbox.survive':
    'In the sandbox jobs of every service survive a kill and a stop, without any setting.',
  'jobs.stop.waits': 'A gateway that stops waits for synchronous transcriptions.',
  'jobs.stop.logged':
    'A synchronous transcription that a stopping gateway gives up is named in the log.',
  'jobs.deadline.two-hours': 'The deadline is two hours after acceptance.',
  'jobs.deadline.setting': 'The deadline is a setting of the operator.',
  'jobs.error.provider-error': 'A provider that refuses or fails makes a provider_error.',
  'jobs.error.reason-true':
    'The reason of a failed job does not blame a provider that was never called.',
  'jobs.error.audio-unreachable':
    'A provider that cannot read the audio makes an audio_unreachable.',
  'jobs.error.deadline-exceeded': 'A job out of time makes a deadline_exceeded.',
  'jobs.error.submission-unknown':
    'A submission whose outcome is unknown at the deadline makes a submission_unknown.',
  'jobs.error.result-lost': 'Work that was done but cannot be fetched makes a result_lost.',
  'jobs.error.extra-keys': 'The error carries provider_status, provider_code and retryable.',
  'jobs.moves.normal':
    'An attempt moves from queued through submitting and waiting to completed or failed.',
  'jobs.moves.unknown':
    'An unknown attempt comes from submitting and ends waiting, completed or failed.',
  'jobs.moves.back-to-queued':
    'An attempt returns to queued only if it is certain that nothing was accepted.',
  'jobs.rate-limited':
    'A rate-limited attempt is queued again, with backoff and Retry-After, until the deadline.',
  'jobs.retention.deleted':
    'Seven days after it finished a job and its transcript are deleted, then 404.',
  'jobs.submit.synchronous':
    'A synchronous submission runs for at most 15 minutes and never past the deadline.',
  'jobs.callback.address': 'Providers call back at /callbacks/{provider}/{attempt}.',
  'jobs.callback.stt-c': 'stt_c calls back at /callbacks/stt_c with the attempt in its metadata.',
  'jobs.submit.status-table': 'What a submit status means is decided provider by provider.',
  'jobs.language.mapped':
    "A language goes out in the vendor's own code; a region it does not take is left out with param_approximated, and a language it does not have is param_ignored.",
  'jobs.stt-c.without-id':
    'What stt_c accepts without an id ends by its webhook or at its deadline.',
  'jobs.language.refused':
    'A language that stt_b refuses fails the job with the reason it gave, in plain text too.',
  'jobs.keyterms.price-stt-c': 'Keyterms on stt_c add 0.05 USD an hour.',
  'jobs.silence': 'Silence is completed with an empty text and no words.',
  'jobs.malformed-id': 'A malformed job id gives a 400.',
  'jobs.unknown-id': 'An unknown job id gives a 404.',
  // What the gateway offers beyond the interface.
  'surface.providers': 'GET /v1/providers lists the capabilities and prices of every provider.',
  'surface.providers.health': 'GET /v1/providers lists the health of every provider.',
  'surface.balance': 'GET /v1/balance returns the balance.',
  'surface.openapi': 'GET /openapi.json is a valid OpenAPI 3.1 document.',
  'surface.openapi-examples': 'Every request that the API description shows is served.',
  'surface.openapi-bearer': 'The API description asks for the bearer key on all four endpoints.',
  'surface.openapi-requests':
    'The API description has every field of every request, and allows no others.',
  'surface.docs': 'GET /docs is the API description for people.',
  'surface.healthz': 'GET /healthz answers while the process is alive, without a key.',
  'surface.readyz': 'GET /readyz answers when the gateway can serve, without a key.',
  'surface.metrics': 'GET /metrics returns metrics for Prometheus.',
  'surface.mcp': 'POST /mcp offers the tools to agents.',
  'surface.dashboard': 'The dashboard is served at /.',
  'surface.admin': 'The admin API is under /admin/v1.',
  'surface.callbacks-guarded': 'A callback without the right token is refused.',
} as const;
