// Exa's request bodies, field by field, as strict as its server.
import { z } from 'zod';

const maxSites = 1200;
const maxUrls = 100;
const maxUrlLength = 2048;
const maxObjectiveLength = 4096;
const sections = [
  'header',
  'navigation',
  'banner',
  'body',
  'sidebar',
  'footer',
  'metadata',
] as const;

const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const Sites = z.array(z.string().min(1)).max(maxSites).nullish();
const Amount = z.int().min(0).max(1000).nullish();

const Text = z.union([
  z.boolean(),
  z.strictObject({
    maxCharacters: z.int().min(1).max(1_000_000).nullish(),
    includeHtmlTags: z.boolean().nullish(),
    verbosity: z.enum(['compact', 'standard', 'full']).nullish(),
    includeSections: z.array(z.enum(sections)).nullish(),
    excludeSections: z.array(z.enum(sections)).nullish(),
  }),
]);

const Highlights = z.union([
  z.boolean(),
  z.strictObject({
    query: z.string().min(1).nullish(),
    maxCharacters: z.int().min(1).max(10_000).nullish(),
    dynamic: z.boolean().nullish(),
    verbosity: z.enum(['compact', 'standard', 'full']).nullish(),
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
  livecrawl: z.enum(['always', 'fallback', 'never', 'auto', 'preferred']).nullish(),
  livecrawlTimeout: z.int().min(1).max(90_000).nullish(),
  subpages: z.int().min(0).max(100).nullish(),
  subpageTarget: z.union([z.string(), z.array(z.string())]).nullish(),
  snapshotAsOf: Moment.nullish(),
  filterEmptyResults: z.boolean().nullish(),
};

export const ContentsOptions = z.strictObject(contents);
export type ContentsOptions = z.infer<typeof ContentsOptions>;

const Country = z.string().regex(/^[a-zA-Z]{2}$/, 'Must be a two-letter country code');

/** Older clients send a country, newer ones may send the user's coordinates. */
const Location = z.union([
  Country,
  z.strictObject({ country: Country }),
  z.strictObject({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    country: Country.optional(),
  }),
]);

/** An opaque id of the end user. */
const caller = { userIdentifier: z.string().nullish(), flags: z.array(z.string()).nullish() };

/** Still accepted with a warning in the response: they no longer have an effect. */
const retired = {
  startCrawlDate: Moment.nullish(),
  endCrawlDate: Moment.nullish(),
  includeText: z.array(z.string()).nullish(),
  excludeText: z.array(z.string()).nullish(),
  useAutoprompt: z.boolean().nullish(),
};
export const retiredFields = Object.keys(retired) as (keyof typeof retired)[];

export const SearchBody = z.strictObject({
  ...caller,
  ...retired,
  query: z.string().min(1),
  objective: z.string().max(maxObjectiveLength).nullish(),
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
  userLocation: Location.nullish(),
  moderation: z.boolean().nullish(),
  additionalQueries: z.array(z.string().min(1)).min(1).max(10).nullish(),
  systemPrompt: z.string().nullish(),
  outputSchema: z.record(z.string(), z.unknown()).nullish(),
  stream: z.boolean().nullish(),
  compliance: z.string().nullish(),
  contents: ContentsOptions.nullish(),
});
export type SearchBody = z.infer<typeof SearchBody>;

/** A lite search accepts only these fields; any other is refused by name. */
export const liteFields = new Set([
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

const Addresses = z.array(z.string().min(1).max(maxUrlLength)).min(1).max(maxUrls).nullish();

export const ContentsBody = z.strictObject({
  ...caller,
  urls: Addresses,
  ids: Addresses,
  ...contents,
});
export type ContentsBody = z.infer<typeof ContentsBody>;
