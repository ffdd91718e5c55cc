// The shape of SearXNG's JSON search, served by any engine.
import { z } from 'zod';
import { maybe, present } from './shape.ts';
import type { Shape } from './shape.ts';

const text = maybe(z.string());
const Search = z.looseObject({
  q: text,
  categories: text,
  language: text,
  time_range: text,
  safesearch: text,
  pageno: text,
});

const safe_search: Readonly<Record<string, string>> = {
  '0': 'off',
  '1': 'moderate',
  '2': 'strict',
};
const results_on_a_page = 10;

export const searxng_search: Shape = {
  method: 'GET',
  path: '/searxng/search',
  tool: 'search',
  toError: ({ message }) => ({ error: message }),
  toRequest: (query) => {
    const asked = Search.parse(query);
    const page = Number(asked.pageno ?? 1);
    const [, language, country] = /^([a-z]{2})(?:-([A-Z]{2}))?$/.exec(asked.language ?? '') ?? [];
    const locale = present({ language, country });
    return present({
      query: asked.q,
      category: asked.categories?.split(',')[0] === 'news' ? 'news' : undefined,
      freshness: asked.time_range || undefined,
      safe_search: safe_search[asked.safesearch ?? ''],
      offset: page > 1 ? (page - 1) * results_on_a_page : undefined,
      locale: Object.keys(locale).length === 0 ? undefined : locale,
    });
  },
  toAnswer: (query, { provider, results }) => {
    const asked = Search.parse(query);
    return {
      query: asked.q,
      number_of_results: results.length,
      results: results.map((one, index) => ({
        url: one.url,
        title: one.title ?? one.url,
        content: one.summary ?? one.snippets.join(' … '),
        engine: provider,
        engines: [provider],
        category: 'general',
        score: one.score ?? 0,
        positions: [index + 1],
        publishedDate: one.published_date ?? null,
        parsed_url: parsedUrl(one.url),
        template: 'default.html',
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    };
  },
};

/** Scheme, host, path, parameters, query and fragment, as Python takes an address apart. */
function parsedUrl(url: string): string[] {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] =
    /^([a-z]+):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/i.exec(url) ?? [];
  return [scheme, host, path, '', query, fragment];
}
