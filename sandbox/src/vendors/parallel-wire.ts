// Parallel's request bodies, field by field; its server forbids anything beyond them.
import { z } from 'zod';

const MAX_SITES = 200;
const MAX_URLS = 20;
const MAX_QUERIES = 5;
const MAX_QUERY_LENGTH = 200;
const MAX_OBJECTIVE_LENGTH = 5000;
const MAX_SESSION_LENGTH = 1000;
const LEAST_AGE_SECONDS = 600;

const Count = z.int().min(1).nullish();
const Queries = z.array(z.string().min(1).max(MAX_QUERY_LENGTH)).max(MAX_QUERIES);
const Site = z
  .string()
  .min(1)
  .regex(/^[^:*?#\s]+$/, 'Domains are written without scheme, port, wildcard, query and fragment');

const SourcePolicy = z
  .strictObject({
    include_domains: z.array(Site).optional(),
    exclude_domains: z.array(Site).optional(),
    after_date: z.iso.date().nullish(),
  })
  .refine(
    ({ include_domains = [], exclude_domains = [] }) =>
      include_domains.length + exclude_domains.length <= MAX_SITES,
    `include_domains and exclude_domains hold at most ${MAX_SITES} domains together`,
  );

const shared = {
  fetch_policy: z
    .strictObject({
      max_age_seconds: z.int().min(LEAST_AGE_SECONDS).nullish(),
      timeout_seconds: z.number().positive().nullish(),
      disable_cache_fallback: z.boolean().optional(),
    })
    .nullish(),
  excerpt_settings: z.strictObject({ max_chars_per_result: Count }).nullish(),
};

const common = {
  objective: z.string().max(MAX_OBJECTIVE_LENGTH).nullish(),
  max_chars_total: Count,
  session_id: z.string().max(MAX_SESSION_LENGTH).nullish(),
  client_model: z.string().nullish(),
};

export const SearchBody = z.strictObject({
  ...common,
  search_queries: Queries.min(1),
  mode: z.enum(['turbo', 'fast', 'basic', 'advanced']).nullish(),
  advanced_settings: z
    .strictObject({
      ...shared,
      max_results: Count,
      source_policy: SourcePolicy.nullish(),
      location: z.string().min(1).nullish(),
    })
    .nullish(),
});
export type SearchBody = z.infer<typeof SearchBody>;

export const ExtractBody = z.strictObject({
  ...common,
  urls: z.array(z.string().min(1)).min(1).max(MAX_URLS),
  search_queries: Queries.nullish(),
  advanced_settings: z
    .strictObject({
      ...shared,
      full_content: z
        .union([z.boolean(), z.strictObject({ max_chars_per_result: Count })])
        .optional(),
    })
    .nullish(),
});
export type ExtractBody = z.infer<typeof ExtractBody>;
