// What a search may ask for, and which values are refused.
import type { Requirement } from '../requirement.ts';

export const searchRequest = [
  {
    id: 'search.accepts-only-known-keys',
    says: 'An unknown key in a search request is refused.',
  },
  { id: 'search.query.required', says: 'A search without a query is refused.' },
  { id: 'search.query.not-empty', says: 'An empty query is refused.' },
  { id: 'search.query.string', says: 'A query that is not a string is refused.' },
  {
    id: 'search.query.as-typed',
    says: 'Keyword engines d and e are sent the query as it was typed.',
  },
  {
    id: 'search.query.neural',
    says: 'Engines a and b are sent the query as natural language, without operators.',
  },
  {
    id: 'search.provider.default-auto',
    says: 'A search that names no provider is served as auto.',
  },
  {
    id: 'search.max-results.integer',
    says: 'A max_results that is not a whole number is refused.',
  },
  {
    id: 'search.max-results.default-ten',
    says: 'A search without max_results asks for ten results.',
  },
  { id: 'search.max-results.honoured', says: 'A search returns at most max_results results.' },
  { id: 'search.mode.values', says: 'mode is instant, fast, balanced or deep.' },
  {
    id: 'search.include-domains.items-not-empty',
    says: 'An empty string among include_domains is refused.',
  },
  {
    id: 'search.exclude-domains.items-not-empty',
    says: 'An empty string among exclude_domains is refused.',
  },
  { id: 'search.published-after.pattern', says: 'published_after is written YYYY-MM-DD.' },
  { id: 'search.published-before.pattern', says: 'published_before is written YYYY-MM-DD.' },
  { id: 'search.freshness.values', says: 'freshness is day, week, month or year.' },
  {
    id: 'search.content.accepts-only-known-keys',
    says: 'An unknown key in content is refused, also one level deeper.',
  },
  {
    id: 'search.content.full-text.boolean',
    says: 'A content.full_text that is not a boolean is refused.',
  },
  {
    id: 'search.content.summary.boolean',
    says: 'A content.summary that is not a boolean is refused.',
  },
  { id: 'search.content.snippets.integers', says: 'The caps on snippets are whole numbers.' },
  { id: 'search.locale.country-pattern', says: 'locale.country is two letters, in either case.' },
  { id: 'search.locale.language-pattern', says: 'locale.language is two letters, in either case.' },
  {
    id: 'search.locale.accepts-only-known-keys',
    says: 'An unknown key in locale is refused.',
  },
  { id: 'search.category.values', says: 'category is general, news, company, people or research.' },
  { id: 'search.safe-search.values', says: 'safe_search is off, moderate or strict.' },
  { id: 'search.offset.integer', says: 'An offset that is not a whole number is refused.' },
  { id: 'search.strict.boolean', says: 'A strict that is not a boolean is refused.' },
  {
    id: 'search.strict.default-false',
    says: 'Without strict a request that cannot be honoured warns and is served.',
  },
  {
    id: 'search.strict.refuses',
    says: 'With strict a parameter the engine cannot honour gives a 400.',
  },
  { id: 'search.strict.not-with-fusion', says: 'strict together with fusion gives a 400.' },
  {
    id: 'search.provider-options.keys',
    says: 'provider_options accepts the keys engine_a to engine_k and fusion, and no other.',
  },
  {
    id: 'search.provider-options.objects',
    says: 'The options of an engine are an object whose values may be null.',
  },
  {
    id: 'search.provider-options.verbatim',
    says: 'The serving engine receives its options unchanged.',
  },
  {
    id: 'search.provider-options.uninspected',
    says: 'Unknown options are passed on without an error.',
  },
  {
    id: 'search.provider-options.others-ignored',
    says: 'The options of another engine are ignored without a warning.',
  },
] as const satisfies readonly Requirement[];
