// The shape of Perplexity's search, served by any engine.
import { z } from 'zod';
import { maybe, present } from './shape.ts';
import type { Shape } from './shape.ts';

const Search = z.looseObject({
  query: maybe(z.union([z.string(), z.array(z.string())])),
  max_results: maybe(z.number()),
  country: maybe(z.string()),
  search_domain_filter: maybe(z.array(z.string())),
  search_recency_filter: maybe(z.string()),
  search_after_date_filter: maybe(z.string()),
  search_before_date_filter: maybe(z.string()),
  search_language_filter: maybe(z.array(z.string())),
});

export const perplexity_search: Shape = {
  method: 'POST',
  path: '/perplexity/search',
  tool: 'search',
  toError: ({ message, type }, code) => ({ error: { message, type, code } }),
  toRequest: (body) => {
    const asked = Search.parse(body);
    const domains = asked.search_domain_filter ?? [];
    const locale = present({
      country: asked.country,
      language: asked.search_language_filter?.[0],
    });
    return present({
      // Several questions are one search here, because one search has one price.
      query: [asked.query].flat().join(' ') || undefined,
      max_results: asked.max_results,
      include_domains: domains.filter((domain) => !domain.startsWith('-')),
      exclude_domains: domains.flatMap((domain) =>
        domain.startsWith('-') ? [domain.slice(1)] : [],
      ),
      freshness: asked.search_recency_filter,
      published_after: isoDay(asked.search_after_date_filter),
      published_before: isoDay(asked.search_before_date_filter),
      locale: Object.keys(locale).length === 0 ? undefined : locale,
    });
  },
  toAnswer: (_body, { id, results }) => ({
    id,
    server_time: null,
    results: results.map(({ title, url, snippets, full_text, published_date }) => ({
      title: title ?? '',
      url,
      snippet: full_text ?? snippets.join('\n'),
      date: published_date ?? null,
      last_updated: null,
    })),
  }),
};

/** Perplexity writes month/day/year. */
function isoDay(date: string | null | undefined): string | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date ?? '') ?? [];
  if (month === undefined || day === undefined) return date ?? undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
