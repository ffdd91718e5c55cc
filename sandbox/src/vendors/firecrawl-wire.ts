// Firecrawl's request bodies, field by field: search over sources, and one page in formats.
import { z } from 'zod';
import { timeFilter } from '../time-filter.ts';

const maxQuery = 500;
const maxHighlightQuery = 10_000;
const sources = ['web', 'news', 'images', 'alexandria'] as const;
const categories = ['github', 'research', 'pdf', 'developer', 'gov'] as const;
/** Separate indexes, which are searched instead of the web. */
const loneCategories: ReadonlySet<string> = new Set(['developer', 'gov']);
const formats = [
  ...['markdown', 'html', 'rawHtml', 'links', 'images', 'summary'],
  ...['screenshot', 'branding', 'product', 'menu', 'changeTracking', 'audio', 'video'],
] as const satisfies string[];

/** A dotted ASCII name: a bare suffix or an international name is refused. */
const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/,
    'Must be a host name, without protocol and path',
  );
const typed = <Name extends string>(names: readonly Name[]) =>
  z.union([z.enum(names), z.strictObject({ type: z.enum(names) }).transform(({ type }) => type)]);

/** A web source may have its own time filter and location. */
const Source = z.union([
  typed(sources),
  z
    .strictObject({
      type: z.literal('web'),
      tbs: z.string().optional(),
      filter: z.string().optional(),
      lang: z.string().optional(),
      country: z.string().optional(),
      location: z.string().optional(),
    })
    .transform(({ type }) => type),
]);

const Question = z.string().trim().min(1).max(maxHighlightQuery);

/** Formats that a model generates from a page. */
const ModelFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('highlights'), query: Question }),
  z.strictObject({ type: z.literal('question'), question: Question }),
  z.strictObject({
    type: z.literal('query'),
    prompt: Question,
    mode: z.enum(['freeform', 'directQuote']).optional(),
  }),
  z.strictObject({
    type: z.literal('json'),
    prompt: z.string().optional(),
    schema: z.unknown().optional(),
    checkPromptInjection: z.boolean().optional(),
  }),
]);

/** The ways to compare a page with its previous version. */
const ChangeTracking = z
  .looseObject({ type: z.literal('changeTracking') })
  .transform(({ type }) => type);

const Screenshot = z
  .strictObject({
    type: z.literal('screenshot'),
    fullPage: z.boolean().optional(),
    quality: z.int().min(1).max(100).optional(),
    viewport: z.strictObject({ width: z.int(), height: z.int() }).optional(),
  })
  .transform(({ type }) => type);

/** Whether to return the tools of a site, and in what detail. */
const tools = {
  domainTools: z.boolean().optional(),
  toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
};

/** Identifies the caller; the vendor's own clients send it. */
const caller = { origin: z.string().optional(), integration: z.string().optional() };

const options = {
  formats: z.array(z.union([typed(formats), Screenshot, ChangeTracking, ModelFormat])).optional(),
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
  actions: z.array(z.looseObject({ type: z.string() })).optional(),
  lockdown: z.boolean().optional(),
  useMock: z.string().optional(),
  checkPromptInjection: z.boolean().optional(),
  redactPII: z.union([z.boolean(), z.looseObject({})]).optional(),
  zeroDataRetention: z.boolean().optional(),
  threatProtection: z.looseObject({}).optional(),
  auditMetadata: z.strictObject({ username: z.string().max(1024) }).optional(),
  profile: z.looseObject({}).optional(),
  ...tools,
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
    query: z.string().trim().min(1).max(maxQuery),
    limit: z.int().min(1).max(100).optional(),
    sources: z.array(Source).min(1).optional(),
    categories: z.array(typed(categories)).optional(),
    includeDomains: z.array(Host).optional(),
    excludeDomains: z.array(Host).optional(),
    tbs: z.string().regex(timeFilter).optional(),
    filter: z.string().optional(),
    lang: z.string().optional(),
    country: z.string().optional(),
    location: z.string().optional(),
    safe: z.boolean().optional(),
    timeout: z.int().min(1).optional(),
    ignoreInvalidURLs: z.boolean().optional(),
    highlights: z.boolean().optional(),
    scrapeOptions: ScrapeOptions.optional(),
    enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).optional(),
    asyncScraping: z.boolean().optional(),
    threatProtection: z.looseObject({}).optional(),
    ...tools,
    ...caller,
  })
  .refine(
    ({ includeDomains, excludeDomains }) => !(includeDomains?.length && excludeDomains?.length),
    'includeDomains and excludeDomains cannot both be specified',
  )
  .refine(
    ({ categories = [] }) =>
      categories.length < 2 || !categories.some((name) => loneCategories.has(name)),
    'developer and gov cannot be combined with other categories',
  );
export type SearchBody = z.infer<typeof SearchBody>;
