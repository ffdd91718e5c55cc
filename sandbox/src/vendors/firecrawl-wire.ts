// Firecrawl's request bodies, field by field: search over sources, and one page in formats.
import { z } from 'zod';
import { TIME_FILTER } from '../time-filter.ts';

const MAX_QUERY = 500;
const MAX_HIGHLIGHT_QUERY = 10_000;
const SOURCES = ['web', 'news', 'images'] as const;
const CATEGORIES = ['github', 'research', 'pdf', 'developer'] as const;
const FORMATS = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary'] as const;

const Host = z.string().regex(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'Must be a bare host name');
const typed = <Name extends string>(names: readonly Name[]) =>
  z.union([z.enum(names), z.strictObject({ type: z.enum(names) }).transform(({ type }) => type)]);

const Highlights = z.strictObject({
  type: z.literal('highlights'),
  query: z.string().trim().min(1).max(MAX_HIGHLIGHT_QUERY),
});

/** Who calls, as the vendor's own clients tell it. */
const caller = { origin: z.string().optional(), integration: z.string().optional() };

const options = {
  formats: z.array(z.union([typed(FORMATS), Highlights])).optional(),
  onlyMainContent: z.boolean().optional(),
  includeTags: z.array(z.string()).optional(),
  excludeTags: z.array(z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  waitFor: z.int().min(0).optional(),
  mobile: z.boolean().optional(),
  maxAge: z.int().min(0).optional(),
  minAge: z.int().min(0).optional(),
  storeInCache: z.boolean().optional(),
  timeout: z.int().min(1000).max(300_000).optional(),
  parsers: z.array(z.union([z.literal('pdf'), z.looseObject({ type: z.string() })])).optional(),
  location: z
    .strictObject({ country: z.string().optional(), languages: z.array(z.string()).optional() })
    .optional(),
  proxy: z.enum(['basic', 'stealth', 'enhanced', 'auto']).optional(),
  skipTlsVerification: z.boolean().optional(),
  removeBase64Images: z.boolean().optional(),
  blockAds: z.boolean().optional(),
  fastMode: z.boolean().optional(),
};

export const ScrapeOptions = z.strictObject(options);
export type ScrapeOptions = z.infer<typeof ScrapeOptions>;

export const ScrapeBody = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'Invalid URL' }),
  ...options,
  ...caller,
});
export type ScrapeBody = z.infer<typeof ScrapeBody>;

export const SearchBody = z
  .strictObject({
    query: z.string().trim().min(1).max(MAX_QUERY),
    limit: z.int().min(1).max(100).optional(),
    sources: z.array(typed(SOURCES)).min(1).optional(),
    categories: z.array(typed(CATEGORIES)).optional(),
    includeDomains: z.array(Host).optional(),
    excludeDomains: z.array(Host).optional(),
    tbs: z.string().regex(TIME_FILTER).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    location: z.string().optional(),
    safe: z.boolean().optional(),
    timeout: z.int().min(1).optional(),
    ignoreInvalidURLs: z.boolean().optional(),
    highlights: z.boolean().optional(),
    scrapeOptions: ScrapeOptions.optional(),
    enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).optional(),
    ...caller,
  })
  .refine(
    ({ includeDomains, excludeDomains }) => !(includeDomains?.length && excludeDomains?.length),
    'includeDomains and excludeDomains cannot both be specified',
  )
  .refine(
    ({ categories = [] }) => !(categories.includes('developer') && categories.length > 1),
    'developer cannot be combined with other categories',
  );
export type SearchBody = z.infer<typeof SearchBody>;
