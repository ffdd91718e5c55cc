// The parameters of an extraction, which values are refused, and what each engine does with them.
export const extractRequest = {
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
} as const;
