// The format of Perplexity's search, served by any engine.
import { z } from 'zod';
import {
  dayFrom,
  defineShape,
  group,
  maybe,
  number,
  pickFields,
  rawFields,
  text,
  texts,
  windows,
} from './shape.ts';

const Search = z.looseObject({
  query: maybe(z.union([z.string(), z.array(z.string())])),
  max_results: number,
  country: text,
  search_domain_filter: texts,
  search_recency_filter: text,
  search_after_date_filter: text,
  search_before_date_filter: text,
  search_language_filter: texts,
  search_mode: text,
  search_type: text,
});

/** Defaults map to undefined, so that they never cause a warning. */
const kinds = { web: undefined, academic: 'research' };
const types = { web: {}, fast: { mode: 'fast' }, people: { category: 'people' } };
const recent = { ...windows, hour: 'day' };

const id = 'engine_k';

export const perplexitySearch = defineShape({
  api: 'Perplexity',
  paths: ['/compat/perplexity/search'],
  takes: 'json',
  params: Search,
  own: {
    id,
    native: [
      ...['max_tokens', 'max_tokens_per_page', 'search_context_size', 'display_server_time'],
      ...['search_mode', 'search_recency_filter', 'search_language_filter'],
      ...['last_updated_after_filter', 'last_updated_before_filter'],
    ],
  },
  tool: 'search',
  toRequest: ({ given, pick, approximate }) => {
    const domains = given.search_domain_filter ?? [];
    const queries = [given.query ?? []].flat();
    if (queries.length > 1) {
      approximate('query', 'The queries were combined, because one search has one price.');
    }
    const languages = given.search_language_filter ?? [];
    if (languages.length > 1) {
      approximate('search_language_filter', `Only ${languages[0]} was used.`);
    }
    const freshness = pick('search_recency_filter', given.search_recency_filter, recent);
    if (given.search_recency_filter === 'hour') {
      approximate('search_recency_filter', 'The last day was searched.');
    }
    return {
      query: queries.join(' ') || undefined,
      max_results: given.max_results,
      include_domains: domains.filter((domain) => !domain.startsWith('-')),
      exclude_domains: domains.flatMap((domain) =>
        domain.startsWith('-') ? [domain.slice(1)] : [],
      ),
      freshness,
      published_after: isoDay(given.search_after_date_filter),
      published_before: isoDay(given.search_before_date_filter),
      locale: group({ country: given.country, language: languages[0] }),
      category: pick('search_mode', given.search_mode, kinds),
      ...pick<object>('search_type', given.search_type, types),
    };
  },
  toAnswer: (_asked, { id: searchId, provider, results, vendor }) => ({
    id: searchId,
    server_time: null,
    ...pickFields(vendor, ['server_time']),
    results: results.map(({ title, url, snippets, full_text, published_date, raw }) => ({
      title: title ?? '',
      url,
      snippet: full_text ?? snippets.join('\n'),
      date: published_date ?? null,
      last_updated: null,
      ...rawFields(raw, provider === id),
    })),
  }),
});

/** Perplexity writes month/day/year. */
function isoDay(date: string | null | undefined): string | undefined {
  const [, month, day, year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date ?? '') ?? [];
  if (month === undefined || day === undefined) return date ?? undefined;
  return dayFrom(year, month, day);
}
