// The parameters of an extraction, which values are refused, and what each engine does with them.
import type { Requirement } from '../requirement.ts';

export const extractRequest = [
  {
    id: 'extract.accepts-only-known-keys',
    says: 'An unknown key in an extract request is refused.',
  },
  { id: 'extract.urls.required', says: 'An extraction without urls is refused.' },
  { id: 'extract.urls.absolute', says: 'A URL that is not absolute is refused.' },
  {
    id: 'extract.provider.default-auto',
    says: 'An extraction that names no provider is served as auto.',
  },
  { id: 'extract.query.not-empty', says: 'An empty query is refused.' },
  {
    id: 'extract.query.alone',
    says: 'A query without excerpts or a summary is warned about where it changes nothing.',
  },
  {
    id: 'extract.query.focuses',
    says: 'A query focuses excerpts and summaries on engines a, b, c, f and h.',
  },
  {
    id: 'extract.include-links.boolean',
    says: 'An include_links that is not a boolean is refused.',
  },
  { id: 'extract.include-links.native-a', says: 'engine_a returns links.' },
  {
    id: 'extract.include-links.elsewhere',
    says: 'The other engines warn that they have no links.',
  },
  {
    id: 'extract.include-images.boolean',
    says: 'An include_images that is not a boolean is refused.',
  },
  {
    id: 'extract.include-images.native',
    says: 'Engines a and c return images.',
  },
  {
    id: 'extract.include-images.elsewhere',
    says: 'The other engines warn that they have no images.',
  },
  {
    id: 'extract.max-age-hours.integer',
    says: 'A max_age_hours that is not a whole number is refused.',
  },
  {
    id: 'extract.max-age-hours.native-a',
    says: 'engine_a accepts a copy as old as max_age_hours allows.',
  },
  {
    id: 'extract.max-age-hours.zero-is-live',
    says: 'With a max_age_hours of 0 engine_a fetches the page again.',
  },
  {
    id: 'extract.max-age-hours.elsewhere',
    says: 'The other engines warn about max_age_hours.',
  },
  { id: 'extract.timeout.integer', says: 'A timeout_ms that is not a whole number is refused.' },
  {
    id: 'extract.timeout.native',
    says: 'Engines a and c support timeout_ms natively.',
  },
  {
    id: 'extract.timeout.cap-engine-c',
    says: 'engine_c gets at most 60 seconds, with a warning.',
  },
  {
    id: 'extract.timeout.elsewhere',
    says: 'The other engines warn about timeout_ms.',
  },
  { id: 'extract.strict.boolean', says: 'A strict that is not a boolean is refused.' },
  {
    id: 'extract.strict.refuses',
    says: 'With strict a parameter the engine cannot honour gives a 400.',
  },
  {
    id: 'extract.strict.default-false',
    says: 'Without strict it is a warning.',
  },
  {
    id: 'extract.provider-options.keys',
    says: 'provider_options accepts the keys engine_a to engine_j, and no other.',
  },
  {
    id: 'extract.provider-options.nullable',
    says: 'The value of an option may be null, and reaches the engine as null.',
  },
  {
    id: 'extract.provider-options.verbatim',
    says: 'The serving engine receives its options unchanged.',
  },
  {
    id: 'extract.content.accepts-only-known-keys',
    says: 'An unknown key in content or its excerpts is refused.',
  },
  {
    id: 'extract.content.full-text-default',
    says: 'The whole page comes back unless full_text is false.',
  },
  {
    id: 'extract.content.full-text.boolean',
    says: 'A content.full_text that is not a boolean is refused.',
  },
  {
    id: 'extract.content.max-chars.integer',
    says: 'A content.max_chars that is not a whole number is refused.',
  },
  { id: 'extract.content.excerpts.integers', says: 'The caps on excerpts are whole numbers.' },
  {
    id: 'extract.content.excerpts.without-query',
    says: 'Without a query engines a, f and h give excerpts, engine_b warns, and engine_c has none.',
  },
  {
    id: 'extract.content.excerpts.beside-full-text',
    says: 'Excerpts come beside the full text, or instead of it when full_text is false.',
  },
  {
    id: 'extract.content.summary.boolean',
    says: 'A content.summary that is not a boolean is refused.',
  },
  { id: 'extract.content.format.values', says: 'content.format is markdown or text.' },
  {
    id: 'extract.content.format.native',
    says: 'Engines c and e return the format that was asked for.',
  },
  {
    id: 'extract.content.format.elsewhere',
    says: 'An engine that returns markdown regardless warns about the format.',
  },
  {
    id: 'extract-engines.engine-a',
    says: 'engine_a has excerpts, summary, links, images and both freshness controls.',
  },
  {
    id: 'extract-engines.engine-b',
    says: 'engine_b has excerpts driven by the query, and nothing else.',
  },
  {
    id: 'extract-engines.engine-c',
    says: 'engine_c has excerpts with a query, images and timeout_ms.',
  },
  { id: 'extract-engines.engine-e', says: 'engine_e has none of the extras.' },
  {
    id: 'extract-engines.engine-f',
    says: 'engine_f has excerpts, and nothing else.',
  },
  { id: 'extract-engines.engine-g', says: 'engine_g has none of the extras.' },
  {
    id: 'extract-engines.engine-h',
    says: 'engine_h has excerpts and a summary, and nothing else.',
  },
  { id: 'extract-engines.engine-i', says: 'engine_i has none of the extras.' },
  { id: 'extract-engines.engine-j', says: 'engine_j has none of the extras.' },
  {
    id: 'extract-engines.summary-elsewhere',
    says: 'All engines but a and h warn that they have no summary.',
  },
  {
    id: 'extract-engines.one-url-per-call',
    says: 'An engine that accepts one URL per call is called once for every URL.',
  },
] as const satisfies readonly Requirement[];
