// The shape of Tavily's search and extract, served by any engine.
import { z } from 'zod';
import { isOn, maybe, present, Switch } from './shape.ts';
import type { Shape } from './shape.ts';

const Search = z.looseObject({
  query: maybe(z.string()),
  search_depth: maybe(z.string()),
  topic: maybe(z.string()),
  max_results: maybe(z.number()),
  time_range: maybe(z.string()),
  start_date: maybe(z.string()),
  end_date: maybe(z.string()),
  include_raw_content: Switch,
  include_domains: maybe(z.array(z.string())),
  exclude_domains: maybe(z.array(z.string())),
  chunks_per_source: maybe(z.number()),
});

const Extract = z.looseObject({
  urls: maybe(z.union([z.string(), z.array(z.string())])),
  query: maybe(z.string()),
  format: maybe(z.string()),
  include_images: maybe(z.boolean()),
  timeout: maybe(z.number()),
});

const modes: Readonly<Record<string, string>> = {
  'ultra-fast': 'instant',
  fast: 'fast',
  basic: 'balanced',
  advanced: 'deep',
};
const windows: Readonly<Record<string, string>> = {
  d: 'day',
  w: 'week',
  m: 'month',
  y: 'year',
};

const toError: Shape['toError'] = ({ message }) => ({ detail: { error: message } });

export const tavily_search: Shape = {
  method: 'POST',
  path: '/tavily/search',
  tool: 'search',
  toError,
  toRequest: (body) => {
    const asked = Search.parse(body);
    const range = asked.time_range ?? undefined;
    return present({
      query: asked.query,
      // Tavily gives five results unless asked for more or fewer.
      max_results: asked.max_results ?? 5,
      mode: modes[asked.search_depth ?? ''],
      category: asked.topic === 'news' ? 'news' : undefined,
      freshness: range === undefined ? undefined : (windows[range] ?? range),
      published_after: asked.start_date,
      published_before: asked.end_date,
      include_domains: asked.include_domains,
      exclude_domains: asked.exclude_domains,
      content: isOn(asked.include_raw_content) ? { full_text: true } : undefined,
    });
  },
  toAnswer: (body, { id, results, latency_ms, usage }) => {
    const asked = Search.parse(body);
    const full = isOn(asked.include_raw_content);
    return {
      query: asked.query,
      follow_up_questions: null,
      answer: null,
      images: [],
      results: results.map((one) => ({
        url: one.url,
        title: one.title ?? '',
        content: one.summary ?? one.snippets.join(' … '),
        score: one.score ?? 0,
        raw_content: full ? (one.full_text ?? null) : null,
        ...(one.published_date === undefined ? {} : { published_date: one.published_date }),
      })),
      response_time: latency_ms / 1000,
      usage: { credits: usage.credits },
      request_id: id,
    };
  },
};

export const tavily_extract: Shape = {
  method: 'POST',
  path: '/tavily/extract',
  tool: 'extract',
  toError,
  toRequest: (body) => {
    const { urls, query, format, include_images, timeout } = Extract.parse(body);
    return present({
      urls: typeof urls === 'string' ? [urls] : urls,
      query,
      content: { format: format === 'text' ? 'text' : 'markdown' },
      include_images: include_images === true ? true : undefined,
      timeout_ms: typeof timeout === 'number' ? Math.round(timeout * 1000) : undefined,
    });
  },
  toAnswer: (_body, { id, results, failed, latency_ms, usage }) => ({
    results: results.map(({ url, title, content, images }) => ({
      url,
      title: title ?? null,
      raw_content: content ?? '',
      images: images ?? [],
    })),
    failed_results: failed,
    response_time: latency_ms / 1000,
    usage: { credits: usage.credits },
    request_id: id,
  }),
};
