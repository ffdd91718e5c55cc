// Exa's request bodies, field by field, as strictly as its server reads them.
import { z } from 'zod';

const MAX_SITES = 1200;
const MAX_URLS = 100;
const MAX_URL_LENGTH = 2048;
const SECTIONS = [
  'header',
  'navigation',
  'banner',
  'body',
  'sidebar',
  'footer',
  'metadata',
] as const;

const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const Sites = z.array(z.string().min(1)).max(MAX_SITES).nullish();
const Amount = z.int().min(0).max(1000).nullish();

const Text = z.union([
  z.boolean(),
  z.strictObject({
    maxCharacters: z.int().min(1).max(1_000_000).nullish(),
    includeHtmlTags: z.boolean().nullish(),
    verbosity: z.enum(['compact', 'standard', 'full']).nullish(),
    includeSections: z.array(z.enum(SECTIONS)).nullish(),
    excludeSections: z.array(z.enum(SECTIONS)).nullish(),
  }),
]);

const Highlights = z.union([
  z.boolean(),
  z.strictObject({
    query: z.string().min(1).nullish(),
    maxCharacters: z.int().min(1).max(10_000).nullish(),
    numSentences: z.int().min(1).nullish(),
    highlightsPerUrl: z.int().min(1).nullish(),
  }),
]);

const Summary = z.union([
  z.boolean(),
  z.strictObject({
    query: z.string().min(1).nullish(),
    schema: z.record(z.string(), z.unknown()).nullish(),
  }),
]);

const contents = {
  text: Text.nullish(),
  highlights: Highlights.nullish(),
  summary: Summary.nullish(),
  extras: z
    .strictObject({
      links: Amount,
      imageLinks: Amount,
      richLinks: Amount,
      richImageLinks: Amount,
      codeBlocks: Amount,
    })
    .nullish(),
  maxAgeHours: z.int().min(-1).max(720).nullish(),
  livecrawlTimeout: z.int().min(1).max(90_000).nullish(),
  subpages: z.int().min(0).max(100).nullish(),
  subpageTarget: z.union([z.string(), z.array(z.string())]).nullish(),
  snapshotAsOf: Moment.nullish(),
  filterEmptyResults: z.boolean().nullish(),
};

export const ContentsWishes = z.strictObject(contents);
export type ContentsWishes = z.infer<typeof ContentsWishes>;

export const SearchBody = z.strictObject({
  query: z.string().min(1),
  type: z
    .enum(['instant', 'fast', 'auto', 'lite', 'deep-lite', 'deep', 'deep-reasoning'])
    .nullish(),
  numResults: z.int().nullish(),
  includeDomains: Sites,
  excludeDomains: Sites,
  startPublishedDate: Moment.nullish(),
  endPublishedDate: Moment.nullish(),
  category: z
    .enum(['company', 'publication', 'news', 'personal site', 'financial report', 'people'])
    .nullish(),
  userLocation: z
    .string()
    .regex(/^[a-zA-Z]{2}$/, 'Must be a two-letter country code')
    .nullish(),
  moderation: z.boolean().nullish(),
  additionalQueries: z.array(z.string().min(1)).min(1).max(10).nullish(),
  systemPrompt: z.string().nullish(),
  outputSchema: z.record(z.string(), z.unknown()).nullish(),
  stream: z.boolean().nullish(),
  compliance: z.string().nullish(),
  contents: ContentsWishes.nullish(),
});
export type SearchBody = z.infer<typeof SearchBody>;

/** A lite search takes these fields alone; any other is refused by name. */
export const LITE_FIELDS = new Set([
  'query',
  'type',
  'numResults',
  'includeDomains',
  'excludeDomains',
  'startPublishedDate',
  'endPublishedDate',
  'category',
  'userLocation',
  'moderation',
  'contents',
  'contents.text',
  'contents.highlights',
]);

const Addresses = z.array(z.string().min(1).max(MAX_URL_LENGTH)).min(1).max(MAX_URLS).nullish();

export const ContentsBody = z.strictObject({ urls: Addresses, ids: Addresses, ...contents });
export type ContentsBody = z.infer<typeof ContentsBody>;
