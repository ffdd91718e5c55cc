// Parallel's request bodies, field by field; its server forbids anything beyond them.
import { z } from 'zod';

const maxSites = 200;
const maxUrls = 20;
const maxQueries = 5;
const maxQueryLength = 200;
const maxObjectiveLength = 5000;
const maxSessionLength = 1000;
const leastAgeSeconds = 600;

const Count = z.int().min(1).nullish();
const Queries = z.array(z.string().min(1).max(maxQueryLength)).max(maxQueries);
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
      include_domains.length + exclude_domains.length <= maxSites,
    `include_domains and exclude_domains hold at most ${maxSites} domains together`,
  );

const shared = {
  fetch_policy: z
    .strictObject({
      max_age_seconds: z.int().min(leastAgeSeconds).nullish(),
      timeout_seconds: z.number().positive().nullish(),
      disable_cache_fallback: z.boolean().optional(),
    })
    .nullish(),
  excerpt_settings: z.strictObject({ max_chars_per_result: Count }).nullish(),
};

const common = {
  objective: z.string().max(maxObjectiveLength).nullish(),
  max_chars_total: Count,
  session_id: z.string().max(maxSessionLength).nullish(),
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
  urls: z.array(z.string().min(1)).min(1).max(maxUrls),
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
