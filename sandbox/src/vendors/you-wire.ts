// You.com's request bodies, field by field, as strict as its server.
import { z } from 'zod';

const maxSites = 500;
const maxUrls = 10;

const countries =
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE ' +
  'CH TW TR GB US';
const languages =
  'AR EU BN BG CA ZH-HANS ZH-HANT HR CS DA NL EN EN-GB ET FI FR GL DE EL GU HE HI HU IS IT JA ' +
  'KN KO LV LT MS ML MR NB PL PT-BR PT-PT PA RO RU SR SK SL ES SV TA TE TH TR UK VI';

const Sites = z.array(z.string().min(1)).max(maxSites).optional();
const Freshness = z.union([
  z.enum(['day', 'week', 'month', 'year']),
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$/)
    .refine((range) => range.slice(0, 10) <= range.slice(-10), 'The range ends before it begins'),
]);
const Formats = z.array(z.enum(['markdown', 'html'])).min(1);

const shared = {
  query: z.string().min(1),
  freshness: Freshness.optional(),
  country: z.enum(countries.split(' ')).optional(),
  language: z.enum(languages.split(' ')).optional(),
  safesearch: z.enum(['off', 'moderate', 'strict']).optional(),
  livecrawl: z.enum(['web', 'news', 'all']).optional(),
};

export const SearchBody = z.strictObject({
  ...shared,
  count: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).max(9).optional(),
  include_domains: Sites,
  exclude_domains: Sites,
  boost_domains: Sites,
  livecrawl_formats: Formats.optional(),
  crawl_timeout: z.int().min(1).max(60).optional(),
  knowledge: z.literal('core').optional(),
  extraction: z
    .strictObject({
      extraction_mode: z.enum(['highlights', 'full_page']).optional(),
      full_page: z.strictObject({ extraction_formats: Formats.optional() }).optional(),
      highlights: z
        .strictObject({ total_max_tokens: z.int().min(1024).max(8192).optional() })
        .optional(),
      extraction_source: z.enum(['blend', 'cache', 'fetch']).optional(),
    })
    .optional(),
});
export type SearchBody = z.infer<typeof SearchBody>;

/** The older form of the same search: everything in the query string, without newer fields. */
export const SearchQuery = z
  .strictObject({
    ...shared,
    count: z.coerce.number().int().min(1).max(100).optional(),
    offset: z.coerce.number().int().min(0).max(9).optional(),
    livecrawl_formats: z.enum(['markdown', 'html']).optional(),
  })
  .transform(({ livecrawl_formats: format, ...rest }): SearchBody => {
    return format === undefined ? rest : { ...rest, livecrawl_formats: [format] };
  });

/** The vendor's own client still sends `format`. */
export const ContentsBody = z.strictObject({
  urls: z.array(z.string().min(1)).min(1).max(maxUrls),
  formats: z.array(z.enum(['markdown', 'html', 'metadata'])).optional(),
  format: z.enum(['markdown', 'html']).optional(),
  crawl_timeout: z.int().min(1).max(60).optional(),
  max_age: z.int().min(0).nullish(),
});
export type ContentsBody = z.infer<typeof ContentsBody>;
