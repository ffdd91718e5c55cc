// Extractions: requests and responses.
export const extraction = {
  // The parameters of an extraction, which values are refused, and what each engine does with them.
  'extract.accepts-only-known-keys': 'An unknown key in an extract request is refused.',
  'extract.urls.required': 'An extraction without urls is refused.',
  'extract.urls.absolute': 'A URL that is not absolute is refused.',
  'extract.provider.default-auto': 'An extraction that names no provider is served as auto.',
  'extract.query.not-empty': 'An empty query is refused.',
  'extract.query.alone':
    'A query without excerpts or a summary is warned about where it changes nothing.',
  'extract.query.focuses': 'A query focuses excerpts and summaries on engines a, b, c, f and h.',
  'extract.include-links.boolean': 'An include_links that is not a boolean is refused.',
  'extract.include-links.native-a': 'engine_a returns links.',
  'extract.include-links.elsewhere': 'The other engines warn that they have no links.',
  'extract.include-images.boolean': 'An include_images that is not a boolean is refused.',
  'extract.include-images.native': 'Engines a and c return images.',
  'extract.include-images.elsewhere': 'The other engines warn that they have no images.',
  'extract.max-age-hours.integer': 'A max_age_hours that is not a whole number is refused.',
  'extract.max-age-hours.native-a': 'engine_a accepts a copy as old as max_age_hours allows.',
  'extract.max-age-hours.zero-is-live':
    'With a max_age_hours of 0 engine_a fetches the page again.',
  'extract.max-age-hours.elsewhere': 'The other engines warn about max_age_hours.',
  'extract.timeout.integer': 'A timeout_ms that is not a whole number is refused.',
  'extract.timeout.native': 'Engines a and c support timeout_ms natively.',
  'extract.timeout.cap-engine-c': 'engine_c gets at most 60 seconds, with a warning.',
  'extract.timeout.elsewhere': 'The other engines warn about timeout_ms.',
  'extract.strict.boolean': 'A strict that is not a boolean is refused.',
  'extract.strict.refuses': 'With strict a parameter the engine cannot honour gives a 400.',
  'extract.strict.default-false': 'Without strict it is a warning.',
  'extract.provider-options.keys':
    'provider_options accepts the keys engine_a to engine_j, and no other.',
  'extract.provider-options.nullable':
    'The value of an option may be null, and reaches the engine as null.',
  'extract.provider-options.verbatim': 'The serving engine receives its options unchanged.',
  'extract.content.accepts-only-known-keys':
    'An unknown key in content or its excerpts is refused.',
  'extract.content.full-text-default': 'The whole page comes back unless full_text is false.',
  'extract.content.full-text.boolean': 'A content.full_text that is not a boolean is refused.',
  'extract.content.max-chars.integer': 'A content.max_chars that is not a whole number is refused.',
  'extract.content.excerpts.integers': 'The caps on excerpts are whole numbers.',
  'extract.content.excerpts.without-query':
    'Without a query engines a, f and h give excerpts, engine_b warns, and engine_c has none.',
  'extract.content.excerpts.beside-full-text':
    'Excerpts come beside the full text, or instead of it when full_text is false.',
  'extract.content.summary.boolean': 'A content.summary that is not a boolean is refused.',
  'extract.content.format.values': 'content.format is markdown or text.',
  'extract.content.format.native': 'Engines c and e return the format that was asked for.',
  'extract.content.format.elsewhere':
    'An engine that returns markdown regardless warns about the format.',
  'extract-engines.engine-a':
    'engine_a has excerpts, summary, links, images and both freshness controls.',
  'extract-engines.engine-b': 'engine_b has excerpts driven by the query, and nothing else.',
  'extract-engines.engine-c': 'engine_c has excerpts with a query, images and timeout_ms.',
  'extract-engines.engine-e': 'engine_e has none of the extras.',
  'extract-engines.engine-f': 'engine_f has excerpts, and nothing else.',
  'extract-engines.engine-g': 'engine_g has none of the extras.',
  'extract-engines.engine-h': 'engine_h has excerpts and a summary, and nothing else.',
  'extract-engines.engine-i': 'engine_i has none of the extras.',
  'extract-engines.engine-j': 'engine_j has none of the extras.',
  'extract-engines.summary-elsewhere': 'All engines but a and h warn that they have no summary.',
  'extract-engines.one-url-per-call':
    'An engine that accepts one URL per call is called once for every URL.',
  // The answer to an extraction, field by field.
  'extract-response.id': 'The answer has the id of the extraction.',
  'extract-response.provider':
    'The answer names the engine that served it, also when auto was asked.',
  'extract-response.results': 'There is one result for every URL that was extracted.',
  'extract-response.failed':
    'A URL that could not be fetched is in failed with its URL and a reason.',
  'extract-response.failed-reason': 'The reason in failed is the one the provider gave.',
  'extract-response.failed-empty':
    'The failed list is present and empty when every page was fetched.',
  'extract-response.partial-is-200':
    'A partial failure is still a 200 with the other pages in results.',
  'extract-response.all-failed-is-200':
    'When no URL could be fetched, the answer is a 200 with all of them in failed.',
  'extract-response.warnings': 'The answer always has a list of warnings.',
  'extract-response.usage': 'The answer always has its usage.',
  'extract-response.latency': 'The answer says how many milliseconds it took.',
  'extract-result.url': 'url is the URL as it was asked for.',
  'extract-result.final-url': 'final_url is where redirects ended, if the provider reports it.',
  'extract-result.title': 'title is the title of the page.',
  'extract-result.content': 'content is the page in the format asked for.',
  'extract-result.excerpts': 'excerpts are present when they were requested.',
  'extract-result.summary': 'summary is present when it was requested and the provider has it.',
  'extract-result.published-date':
    'published_date is an ISO 8601 date, left out when it is not known.',
  'extract-result.author': 'author is left out when it is not known.',
  'extract-result.links': 'links are present when they were requested and the provider has them.',
  'extract-result.images': 'images are present when they were requested and the provider has them.',
  'extract-result.raw': 'raw is the result object of the provider, untouched, on every result.',
} as const;
