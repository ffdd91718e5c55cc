// Tavily's request bodies, field by field, like its current server.
import { z } from 'zod';
import { countries } from './tavily-countries.ts';

const maxResults = 20;
const maxChunks = 3;
const maxExtractChunks = 5;
const maxTimeoutSeconds = 60;

const Day = z.iso.date().nullish();
const Flag = z.boolean().nullish();
const Sites = z.array(z.string().min(1)).nullish();

export const SearchBody = z.strictObject({
  query: z.string().min(1),
  search_depth: z.enum(['ultra-fast', 'fast', 'basic', 'advanced']).nullish(),
  chunks_per_source: z.int().min(1).max(maxChunks).nullish(),
  max_results: z.int().min(0).max(maxResults).nullish(),
  topic: z.enum(['general', 'news', 'finance']).nullish(),
  days: z.int().min(1).nullish(),
  time_range: z.enum(['day', 'week', 'month', 'year', 'd', 'w', 'm', 'y']).nullish(),
  start_date: Day,
  end_date: Day,
  include_published_date: Flag,
  filter_by_published_date: Flag,
  include_raw_content: z.union([z.boolean(), z.enum(['markdown', 'text'])]).nullish(),
  include_domains: Sites,
  include_domains_mode: z.enum(['restrict', 'prefer']).nullish(),
  exclude_domains: Sites,
  country: z
    .string()
    .refine((name) => Object.hasOwn(countries, name), 'Not a country this service knows')
    .nullish(),
  language: z.string().min(2).nullish(),
  filter_by_language: Flag,
  include_answer: z.union([z.boolean(), z.enum(['basic', 'advanced'])]).nullish(),
  include_images: Flag,
  include_image_descriptions: Flag,
  include_favicon: Flag,
  include_usage: Flag,
  auto_parameters: Flag,
  exact_match: Flag,
  safe_search: Flag,
  max_age_hours: z.number().min(0).nullish(),
  /** The name that some clients still use. */
  max_hours: z.number().min(0).nullish(),
  fetch_timeout: z.number().min(0).nullish(),
  cache_fallback: Flag,
});
export type SearchBody = z.infer<typeof SearchBody>;

export const ExtractBody = z.strictObject({
  urls: z.union([z.string(), z.array(z.string()).min(1)]),
  query: z.string().min(1).nullish(),
  chunks_per_source: z.int().min(1).max(maxExtractChunks).nullish(),
  extract_depth: z.enum(['basic', 'advanced']).nullish(),
  format: z.enum(['markdown', 'text']).nullish(),
  include_images: Flag,
  include_favicon: Flag,
  include_usage: Flag,
  timeout: z.number().min(1).max(maxTimeoutSeconds).nullish(),
});
export type ExtractBody = z.infer<typeof ExtractBody>;
