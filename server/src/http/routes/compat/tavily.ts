// The format of Tavily's search and extract, served by any engine.
import { z } from 'zod';
import { countryNames } from '../../../providers/tavily/countries.ts';
import {
  defineShape,
  flag,
  group,
  isOn,
  maybe,
  number,
  pickFields,
  present,
  rawFields,
  type Reading,
  Switch,
  text,
  texts,
  windows,
} from './shape.ts';

/** Older clients send the key in the body. The other fields do not affect the answer. */
const commonFields = {
  api_key: text,
  include_usage: flag,
  client_source: text,
  client_name: text,
  session_id: text,
  human_id: text,
};

const Search = z.looseObject({
  ...commonFields,
  query: text,
  search_depth: text,
  topic: text,
  max_results: number,
  time_range: text,
  days: number,
  max_hours: number,
  start_date: text,
  end_date: text,
  include_raw_content: Switch,
  include_published_date: flag,
  include_domains: texts,
  include_domains_mode: text,
  exclude_domains: texts,
  chunks_per_source: number,
  country: text,
  language: text,
  safe_search: flag,
});

const Extract = z.looseObject({
  ...commonFields,
  urls: maybe(z.union([z.string(), z.array(z.string())])),
  query: text,
  chunks_per_source: number,
  extract_depth: text,
  format: text,
  include_images: flag,
  timeout: number,
});

/** Defaults map to undefined, so that they never cause a warning. */
const modes = { 'ultra-fast': 'instant', fast: 'fast', basic: undefined, advanced: 'deep' };
const topics = { general: undefined, news: 'news' };
const ranges = { ...windows, d: 'day', w: 'week', m: 'month', y: 'year' };
const windowDays = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['year', 365],
] as const;
const countries = Object.fromEntries(
  Object.entries(countryNames).map(([code, name]) => [name, code]),
);
/** Whether results from other domains are allowed. */
const domainModes = { restrict: false, filter: false, prefer: true, boost: true };
const joint = ' [...] ';

const id = 'engine_c';
const common = {
  api: 'Tavily',
  takes: 'json',
  keyIn: ({ api_key }: { api_key?: string | null | undefined }) => api_key,
} as const;
const nativeSearch = [
  ...['include_answer', 'include_raw_content', 'include_images', 'include_image_descriptions'],
  ...['include_favicon', 'auto_parameters', 'exact_match', 'topic', 'filter_by_language'],
  ...['filter_by_published_date', 'max_age_hours', 'fetch_timeout', 'cache_fallback'],
];

export const tavilySearch = defineShape({
  ...common,
  paths: ['/compat/tavily/search'],
  params: Search,
  own: { id, native: nativeSearch },
  tool: 'search',
  toRequest: (reading) => {
    const { given, pick } = reading;
    const category = pick('topic', given.topic, topics);
    const snippets = group({ max_per_result: given.chunks_per_source });
    const fullText = isOn(given.include_raw_content) ? true : undefined;
    if (given.include_raw_content === 'text') {
      reading.approximate(
        'include_raw_content',
        'The text is in the format that the engine returns.',
      );
    }
    const locale = group({
      country: pick('country', given.country?.toLowerCase(), countries),
      language: languageIn(reading),
    });
    const prefers = pick('include_domains_mode', given.include_domains_mode, domainModes);
    if (prefers === true) {
      reading.approximate('include_domains_mode', 'Results from other domains are excluded.');
    }
    return {
      query: given.query,
      // Tavily's default is five results.
      max_results: given.max_results ?? 5,
      mode: pick('search_depth', given.search_depth, modes),
      category,
      freshness: freshnessIn(reading),
      published_after: given.start_date,
      published_before: given.end_date,
      include_domains: given.include_domains,
      exclude_domains: given.exclude_domains,
      content: group({ full_text: fullText, snippets }),
      locale,
      safe_search: given.safe_search === true ? 'strict' : undefined,
    };
  },
  toAnswer: (asked, { id: requestId, provider, results, latency_ms, usage, vendor }) => {
    const full = isOn(asked.include_raw_content);
    return {
      query: asked.query,
      follow_up_questions: null,
      answer: null,
      images: [],
      ...pickFields(vendor, ['follow_up_questions', 'answer', 'images', 'auto_parameters']),
      results: results.map((one) => ({
        url: one.url,
        title: one.title ?? '',
        content: one.summary ?? one.snippets.join(' … '),
        score: one.score ?? 0,
        raw_content: full ? (one.full_text ?? null) : null,
        ...(one.published_date === undefined ? {} : { published_date: one.published_date }),
        ...rawFields(one.raw, provider === id, ['raw_content']),
      })),
      response_time: latency_ms / 1000,
      usage: { credits: usage.credits },
      request_id: requestId,
    };
  },
});

export const tavilyExtract = defineShape({
  ...common,
  paths: ['/compat/tavily/extract'],
  params: Extract,
  own: { id, native: ['extract_depth', 'include_favicon'] },
  tool: 'extract',
  toRequest: ({ given, pick, ignore }) => {
    if (given.chunks_per_source && !given.query) ignore('chunks_per_source');
    pick('extract_depth', given.extract_depth, { basic: undefined });
    const format = pick('format', given.format, { markdown: 'markdown', text: 'text' });
    // With a query, Tavily returns the relevant passages instead of the page.
    const excerpts = given.query ? { max_per_url: given.chunks_per_source ?? 3 } : undefined;
    return {
      urls: typeof given.urls === 'string' ? [given.urls] : given.urls,
      query: given.query,
      content: present({ format: format ?? 'markdown', excerpts }),
      include_images: given.include_images === true ? true : undefined,
      timeout_ms: given.timeout ? Math.round(given.timeout * 1000) : undefined,
    };
  },
  toAnswer: (_asked, { id: requestId, provider, results, failed, latency_ms, usage }) => ({
    results: results.map(({ url, title, content, excerpts = [], images, raw }) => ({
      ...rawFields(raw, provider === id),
      url,
      title: title ?? null,
      raw_content: excerpts.length > 0 ? excerpts.join(joint) : (content ?? ''),
      images: images ?? [],
    })),
    failed_results: failed,
    response_time: latency_ms / 1000,
    usage: { credits: usage.credits },
    request_id: requestId,
  }),
});

type SearchReading = Reading<z.output<typeof Search>>;

/** Tavily has three parameters for recency. Days and hours become the next longer window. */
function freshnessIn({ given, pick, ignore, approximate }: SearchReading): string | undefined {
  const named = pick('time_range', given.time_range, ranges);
  const counted = [
    { param: 'days', days: given.days ?? 0 },
    { param: 'max_hours', days: (given.max_hours ?? 0) / 24 },
  ].filter(({ days }) => days > 0);
  const first = named === undefined ? counted.shift() : undefined;
  for (const { param } of counted) ignore(param);
  if (first === undefined) return named;
  const [window, length] = windowDays.find(([, maxDays]) => maxDays >= first.days) ?? [];
  if (window === undefined) ignore(first.param);
  else if (length !== first.days) approximate(first.param, `The last ${window} was searched.`);
  return window;
}

function languageIn({ given: { language }, ignore }: SearchReading): string | undefined {
  if (!language || /^[a-z]{2}$/i.test(language)) return language ?? undefined;
  ignore('language');
  return undefined;
}
