// What the specification says of every answer: conventions, ids, warnings, usage, errors, limits.
export const common = {
  // Conventions of the whole API: bodies, times and the names of providers.
  'conventions.answers-are-json':
    'Every answer of the API is JSON and has the content type of JSON.',
  'conventions.timestamps': 'Every timestamp is an ISO 8601 date-time.',
  'conventions.neutral-names':
    'A provider is named by its neutral id; the name of a vendor is refused.',
  'conventions.search-providers':
    'A search accepts engine_a to engine_k, auto or fusion as provider, and nothing else.',
  'conventions.extract-providers':
    'An extraction accepts engines a, b, c and e to j, or auto, and nothing else.',
  'conventions.transcription-providers':
    'A transcription accepts stt_a, stt_b, stt_c or auto, and nothing else.',
  'conventions.eleven-engines-search': 'Each of the eleven engines can serve a search.',
  'conventions.nine-engines-extract':
    'Each of the nine extraction engines can serve an extraction.',
  'conventions.three-services-transcribe':
    'Each of the three speech services can finish a transcription.',
  'conventions.one-key-for-all': 'The same key is valid for search, extraction and transcription.',
  'conventions.one-bill-for-all':
    'Search, extraction and transcription are paid from the same balance.',
  // The shapes of the ids that a client may rely on.
  'identifiers.job-shape':
    'A job id is job_ and 36 characters, each a lower-case hex digit or a dash.',
  'identifiers.search-prefix': 'The id of a search starts with srch_.',
  'identifiers.search-result-stable':
    'Within one search an id belongs to one URL and a URL to one id.',
  'identifiers.extraction-prefix': 'The id of an extraction starts with ext_.',
  // The warning: how an answer says that a request was not honoured exactly.
  'warnings.shape': 'A warning has a code, a message and an optional param.',
  'warnings.codes': 'A search or an extraction warns with one of three codes and no other.',
  'warnings.param-names-the-field':
    'The param of a warning is the path of the request field it is about.',
  'warnings.param-ignored':
    'A parameter that the provider does not support is dropped and named in a param_ignored.',
  'warnings.param-approximated':
    'A parameter that is only emulated is named in a param_approximated.',
  'warnings.results-post-filtered':
    'Results taken out for a filter the provider lacks give a results_post_filtered.',
  'warnings.fusion-member-dropped':
    'A fusion member that was dropped gives a results_post_filtered.',
  'warnings.empty-when-exact':
    'The list of warnings is present and empty when everything was honoured exactly.',
  'warnings.on-extract': 'An extraction carries warnings of the same shape.',
  // What a request cost, in money and in credits.
  'usage.cost-is-the-debit': 'The balance falls by exactly the cost_usd that the answer reports.',
  'usage.cost-is-the-provider-price': 'cost_usd is the price of the provider with nothing added.',
  'usage.credits-beside-cost': 'Credits are a number next to the cost.',
  'usage.transcription-never-negative': 'The cost of a transcription is never below zero.',
  // Authentication: who may call the API, and what other callers receive.
  'authentication.every-endpoint': 'Each of the four endpoints requires a key.',
  'authentication.bearer-header': 'The key is sent in the Authorization header as a bearer token.',
  'authentication.key-prefix': 'Keys of a live gateway start with sk_live_.',
  'authentication.missing-key': 'A request without a key gives a 401.',
  'authentication.invalid-key': 'A request with a key that we did not issue gives a 401.',
  'authentication.envelope': 'A 401 has the error envelope.',
  'authentication.issued-from-dashboard': 'The dashboard issues keys that work.',
  // The error envelope, and the status of every kind of failure on every endpoint.
  'errors.envelope': 'An error is an object error with type, message and an optional detail.',
  'errors.types': 'The type of a documented error is one of the seven documented ones.',
  'errors.message-is-for-people': 'The message explains in words what is wrong.',
  'errors.detail-validation': 'The detail of an invalid_request lists what validation found.',
  'errors.detail-provider': 'The detail of a provider_error is the error body of the provider.',
  'errors.search.200': 'A search that worked gives a 200.',
  'errors.search.400': 'An invalid search gives a 400.',
  'errors.search.401': 'A search without a valid key gives a 401.',
  'errors.search.402': 'A search that the balance cannot pay gives a 402.',
  'errors.search.501': 'A search on an engine that is not available gives a 501.',
  'errors.search.502': 'A search whose provider fails gives a 502.',
  'errors.search.503': 'A search on an engine that is not configured gives a 503.',
  'errors.extract.200': 'An extraction that worked gives a 200.',
  'errors.extract.400': 'An invalid extraction gives a 400.',
  'errors.extract.401': 'An extraction without a valid key gives a 401.',
  'errors.extract.402': 'An extraction that the balance cannot pay gives a 402.',
  'errors.extract.502': 'An extraction whose provider fails as a whole gives a 502.',
  'errors.extract.503': 'An extraction on an engine that is not configured gives a 503.',
  'errors.transcription.400': 'An invalid transcription gives a 400.',
  'errors.transcription.401': 'A transcription without a valid key gives a 401.',
  'errors.transcription.402': 'A transcription that the balance cannot pay gives a 402.',
  'errors.transcription.503': 'A transcription on a service that is not configured gives a 503.',
  'errors.jobs.400': 'A job id of the wrong shape gives a 400.',
  'errors.jobs.401': 'A read without a valid key gives a 401.',
  'errors.jobs.404': 'A read of an unknown job gives a 404.',
  'errors.jobs.503': 'A read while the job store is unreachable gives a 503.',
  'errors.documented.search': 'The API description lists every documented status of a search.',
  'errors.documented.extract':
    'The API description lists every documented status of an extraction.',
  'errors.documented.transcription':
    'The API description lists every documented status of a transcription.',
  'errors.documented.jobs': 'The API description lists every documented status of a job read.',
  // The bounds of every number and list.
  'limits.search.max-results': 'max_results is 1 to 100.',
  'limits.search.offset': 'offset is zero or more.',
  'limits.search.snippets-per-result': 'content.snippets.max_per_result is one or more.',
  'limits.search.chars-per-snippet': 'content.snippets.max_chars_per_snippet is one or more.',
  'limits.fusion.providers': 'A fusion that names its providers names at least two.',
  'limits.fusion.timeout': 'The fusion timeout_ms is 500 to 30000.',
  'limits.fusion.top-k': 'top_k is 1 to 100.',
  'limits.extract.urls': 'urls holds 1 to 20 items.',
  'limits.extract.max-chars': 'content.max_chars is 100 to 100000.',
  'limits.extract.excerpts-per-url': 'content.excerpts.max_per_url is 1 to 20.',
  'limits.extract.chars-per-excerpt': 'content.excerpts.max_chars_per_excerpt is one or more.',
  'limits.extract.max-age-hours': 'max_age_hours is 0 to 720.',
  'limits.extract.timeout': 'timeout_ms is 1000 to 90000.',
  'limits.transcription.keyterms': 'keyterms holds at least one item.',
  // How the API is versioned.
  'versioning.prefix': 'The four endpoints are under /v1, and not without it.',
  'versioning.description': 'The API description says version 1.0.0.',
} as const;
