// The format of SearXNG's JSON search, served by any engine.
import { z } from 'zod';
import { defineShape, group, text, windows } from './shape.ts';

const Search = z.looseObject({
  q: text,
  format: z
    .string()
    .refine((given) => given === 'json', { error: 'Only format=json is supported.' })
    .optional(),
  categories: text,
  language: text,
  time_range: text,
  safesearch: text,
  pageno: text,
  /** Not part of SearXNG: for clients that cannot send headers. */
  key: text,
});

/** Defaults map to undefined, so that they never cause a warning. */
const categories = { general: undefined, news: 'news', science: 'research' };
const safeSearch = { '0': 'off', '1': 'moderate', '2': 'strict' };
const resultsPerPage = 10;

export const searxngSearch = defineShape({
  api: 'SearXNG',
  // Some clients call the base address, others add /search.
  paths: ['/compat/searxng', '/compat/searxng/search'],
  takes: 'fields',
  params: Search,
  tool: 'search',
  keyIn: ({ key }) => key,
  toRequest: ({ given, pick, ignore, approximate }) => {
    const page = Number(given.pageno || 1);
    const [first, ...more] = given.categories?.split(',') ?? [];
    if (more.length > 0) approximate('categories', `Only ${first} was searched.`);
    const [, language, country] = /^([a-z]{2})(?:-([A-Z]{2}))?$/.exec(given.language ?? '') ?? [];
    const anyLanguage = ['', 'all', 'auto'].includes(given.language ?? '');
    if (language === undefined && !anyLanguage) ignore('language');
    return {
      query: given.q,
      category: pick('categories', first, categories),
      freshness: pick('time_range', given.time_range, windows),
      safe_search: pick('safesearch', given.safesearch, safeSearch),
      offset: page > 1 ? (page - 1) * resultsPerPage : undefined,
      locale: group({ language, country }),
    };
  },
  toAnswer: ({ q: query }, { provider, results }) => ({
    query,
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
  }),
});

/** Scheme, host, path, parameters, query and fragment, as Python's urlparse returns them. */
function parsedUrl(url: string): string[] {
  const scheme = /^([a-z]+):\/\//i.exec(url)?.[1];
  if (scheme === undefined) return ['', '', '', '', '', ''];
  const [rest, fragment] = cutAt(url.slice(scheme.length + '://'.length), '#');
  const [place, query] = cutAt(rest, '?');
  const slash = place.indexOf('/');
  const host = slash < 0 ? place : place.slice(0, slash);
  return [scheme, host, place.slice(host.length), '', query, fragment];
}

/** The text before and after the first separator. */
function cutAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
