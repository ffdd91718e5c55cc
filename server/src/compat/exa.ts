// The shape of Exa's search and contents, served by any engine.
import type { ExtractResult, SearchResult } from '@trivium/contract';
import { z } from 'zod';
import { dayOf, isOn, maybe, present, Switch } from './shape.ts';
import type { Shape } from './shape.ts';

const Text = z.union([z.boolean(), z.looseObject({ maxCharacters: maybe(z.number()) })]).nullish();
const Wanted = { text: Text, highlights: Switch, summary: Switch };

const Search = z.looseObject({
  query: maybe(z.string()),
  numResults: maybe(z.number()),
  type: maybe(z.string()),
  category: maybe(z.string()),
  includeDomains: maybe(z.array(z.string())),
  excludeDomains: maybe(z.array(z.string())),
  startPublishedDate: maybe(z.string()),
  endPublishedDate: maybe(z.string()),
  userLocation: maybe(z.string()),
  contents: maybe(z.looseObject(Wanted)),
});

const Contents = z.looseObject({
  urls: maybe(z.array(z.string())),
  ids: maybe(z.array(z.string())),
  maxAgeHours: maybe(z.number()),
  ...Wanted,
});

const modes: Readonly<Record<string, string>> = {
  instant: 'instant',
  fast: 'fast',
  auto: 'balanced',
  deep: 'deep',
};
const categories: Readonly<Record<string, string>> = {
  news: 'news',
  company: 'company',
  people: 'people',
  'research paper': 'research',
};

const toError: Shape['toError'] = ({ message, type }) => ({ error: message, tag: type });

export const exa_search: Shape = {
  method: 'POST',
  path: '/exa/search',
  tool: 'search',
  toError,
  toRequest: (body) => {
    const asked = Search.parse(body);
    const { text, summary } = asked.contents ?? {};
    const content = present({
      full_text: isOn(text) ? true : undefined,
      summary: isOn(summary) ? true : undefined,
    });
    return present({
      query: asked.query,
      max_results: asked.numResults,
      mode: modes[asked.type ?? ''],
      category: categories[asked.category ?? ''],
      include_domains: asked.includeDomains,
      exclude_domains: asked.excludeDomains,
      published_after: dayOf(asked.startPublishedDate),
      published_before: dayOf(asked.endPublishedDate),
      locale: asked.userLocation ? { country: asked.userLocation } : undefined,
      content: Object.keys(content).length === 0 ? undefined : content,
    });
  },
  toAnswer: (body, { id, results, usage }) => {
    const asked = Search.parse(body);
    return {
      requestId: id,
      resolvedSearchType: asked.type ?? 'auto',
      results: results.map((one) => resultOf(one, asked.contents ?? {})),
      costDollars: { total: usage.cost_usd },
    };
  },
};

export const exa_contents: Shape = {
  method: 'POST',
  path: '/exa/contents',
  tool: 'extract',
  toError,
  toRequest: (body) => {
    const asked = Contents.parse(body);
    const { text } = asked;
    const cap = typeof text === 'object' && text !== null ? text.maxCharacters : undefined;
    return present({
      urls: asked.urls ?? asked.ids,
      max_age_hours: asked.maxAgeHours,
      content: present({
        max_chars: cap,
        excerpts: isOn(asked.highlights) ? {} : undefined,
        summary: isOn(asked.summary) ? true : undefined,
        // Asked for nothing, Exa gives the text.
        full_text: isOn(text) || !(isOn(asked.highlights) || isOn(asked.summary)),
      }),
    });
  },
  toAnswer: (_body, { id, results, failed, usage }) => ({
    requestId: id,
    results: results.map(pageOf),
    statuses: [
      ...results.map(({ url }) => ({ id: url, status: 'success', source: 'crawled' })),
      ...failed.map(({ url }) => ({
        id: url,
        status: 'error',
        error: { tag: 'CRAWL_UNKNOWN_ERROR', httpStatusCode: null },
      })),
    ],
    costDollars: { total: usage.cost_usd },
  }),
};

function resultOf(one: SearchResult, wanted: { text?: unknown; highlights?: unknown }) {
  const { url, title, score, published_date, author, full_text, summary, snippets } = one;
  return {
    id: url,
    url,
    title,
    score,
    publishedDate: published_date,
    author,
    ...(wanted.text ? { text: full_text ?? snippets.join('\n') } : {}),
    ...(wanted.highlights ? { highlights: snippets } : {}),
    ...(summary === undefined ? {} : { summary }),
  };
}

function pageOf({ url, title, content, excerpts, summary, published_date, author }: ExtractResult) {
  return {
    id: url,
    url,
    title: title ?? null,
    publishedDate: published_date,
    author,
    ...(content === undefined ? {} : { text: content }),
    ...(excerpts === undefined ? {} : { highlights: excerpts }),
    ...(summary === undefined ? {} : { summary }),
  };
}
