// Valyu's request bodies, field by field, as strict as its server.
import { z } from 'zod';

const countries = [
  ...['ALL', 'AR', 'AU', 'AT', 'BE', 'BR', 'CA', 'CL', 'DK', 'FI', 'FR', 'DE', 'HK', 'IN', 'ID'],
  ...['IT', 'JP', 'KR', 'MY', 'MX', 'NL', 'NZ', 'NO', 'CN', 'PL', 'PT', 'PH', 'RU', 'SA', 'ZA'],
  ...['ES', 'SE', 'CH', 'TW', 'TR', 'GB', 'US'],
];

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
/** A dotted host, optionally with a path, a dataset such as `valyu/papers`, or `web`. */
const Source = z
  .string()
  .regex(
    /^(web|collection:\S+|(https?:\/\/)?[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?|[\w-]+\/[\w.-]+)$/i,
    'Must be a domain, an address or a dataset',
  );
const Sources = z.array(Source);
const Size = z.enum(['short', 'medium', 'large', 'max']);
const history = {
  historical_cache: z.boolean().optional(),
  historical_cache_strict: z.enum(['off', 'prefer', 'only']).optional(),
  start_date: Moment.optional(),
  end_date: Moment.optional(),
};

export const SearchBody = z.strictObject({
  query: z.string().min(1),
  search_type: z.enum(['all', 'web', 'proprietary', 'news']).optional(),
  max_num_results: z.int().min(1).max(20).optional(),
  max_price: z.number().positive().optional(),
  relevance_threshold: z.number().min(0).max(1).optional(),
  included_sources: Sources.optional(),
  excluded_sources: Sources.optional(),
  source_biases: z.record(z.string(), z.int().min(-5).max(5)).optional(),
  category: z.string().optional(),
  instructions: z.string().max(500).optional(),
  country_code: z.enum(countries).optional(),
  response_length: z.union([Size, z.int().min(1)]).optional(),
  fast_mode: z.boolean().optional(),
  url_only: z.boolean().optional(),
  is_tool_call: z.boolean().optional(),
  include_abstracts: z.boolean().optional(),
  include_image_links: z.boolean().optional(),
  ...history,
});
export type SearchBody = z.infer<typeof SearchBody>;

export const ContentsBody = z.strictObject({
  urls: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(50),
  response_length: z.union([Size, z.int().min(1000).max(1_000_000)]).optional(),
  extract_effort: z.enum(['auto', 'normal', 'high']).optional(),
  summary: z
    .union([z.boolean(), z.string().max(500), z.record(z.string(), z.unknown())])
    .optional(),
  max_price_dollars: z.number().positive().optional(),
  screenshot: z.boolean().optional(),
  include_image_links: z.boolean().optional(),
  async: z.boolean().optional(),
  webhook_url: z.url().optional(),
  ...history,
});
export type ContentsBody = z.infer<typeof ContentsBody>;

/** Response lengths in characters. */
export function charsOf(length: SearchBody['response_length'] = 'short'): number {
  return typeof length === 'number' ? length : sizes[length];
}

const sizes: Record<z.infer<typeof Size>, number> = {
  short: 25_000,
  medium: 50_000,
  large: 100_000,
  max: Number.POSITIVE_INFINITY,
};
