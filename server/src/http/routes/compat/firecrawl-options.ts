// Firecrawl's options for a page: which have a counterpart here, and which are defaults.
import { hourMs } from '@trivium/contract/durations';
import { z } from 'zod';
import { flag, maybe, number, present, type Reading, text, type Body } from './shape.ts';

const Format = z.union([z.string(), z.looseObject({ type: text, query: text })]);

/** Honoured at their defaults, including for the pages that a search finds. */
export const plainScrapeFields = {
  formats: maybe(z.array(Format)),
  onlyMainContent: flag,
  proxy: text,
  storeInCache: flag,
  skipTlsVerification: flag,
  parsers: maybe(z.array(z.unknown())),
  parsePDF: flag,
  removeBase64Images: flag,
  blockAds: flag,
};

export const scrapeFields = {
  ...plainScrapeFields,
  timeout: number,
  maxAge: number,
};

/** The options that Firecrawl itself accepts for a page, in version 2. */
export const nativeScrape = [
  ...['formats', 'onlyMainContent', 'includeTags', 'excludeTags', 'headers', 'waitFor', 'mobile'],
  ...['skipTlsVerification', 'timeout', 'parsers', 'location', 'removeBase64Images', 'blockAds'],
  ...['proxy', 'maxAge', 'minAge', 'storeInCache', 'actions', 'zeroDataRetention', 'fastMode'],
];

type Formats = z.output<typeof scrapeFields.formats>;
type PageReading = Pick<
  Reading<z.output<z.ZodObject<typeof scrapeFields>>>,
  'given' | 'ignore' | 'approximate' | 'pick'
>;

const maxAgeHours = 720;
/** The defaults of version 2, which request nothing. */
const defaultMaxAgeMs = 48 * hourMs;
const maxTimeoutMs = 90_000;

/** The options of an extraction. */
export function pageOptions(reading: PageReading, version: 'v1' | 'v2'): Body {
  const { given } = reading;
  checkPlainOptions(reading, given, '', version);
  const { formats } = given;
  const wanted = formatsIn(reading, 'formats', formats?.length ? formats : ['markdown']);
  const query = wanted.highlights;
  return present({
    query,
    content: present({
      full_text: wanted.markdown,
      excerpts: query === undefined ? undefined : {},
      summary: wanted.summary || undefined,
    }),
    include_links: wanted.links || undefined,
    include_images: wanted.images || undefined,
    max_age_hours: ageIn(reading),
    timeout_ms: timeoutIn(reading),
  });
}

type PlainOptions = z.output<z.ZodObject<typeof plainScrapeFields>>;

/** Warns about options that are not at their defaults. */
export function checkPlainOptions(
  { ignore, pick }: Pick<PageReading, 'ignore' | 'pick'>,
  given: PlainOptions,
  prefix: string,
  version: 'v1' | 'v2',
): void {
  const off = (['onlyMainContent', 'storeInCache', 'parsePDF'] as const).filter(
    (name) => given[name] === false,
  );
  for (const name of off) ignore(prefix + name);
  // In version 2 it is on unless a client turns it off.
  if (given.skipTlsVerification && version === 'v1') ignore(`${prefix}skipTlsVerification`);
  pick(`${prefix}proxy`, given.proxy, { auto: undefined, basic: undefined });
  if (given.parsers && JSON.stringify(given.parsers) !== '["pdf"]') ignore(`${prefix}parsers`);
}

/** A page that is requested only in unknown formats is returned as markdown. */
export function formatsIn(
  { ignore, approximate }: Pick<PageReading, 'ignore' | 'approximate'>,
  param: string,
  formats: NonNullable<Formats>,
) {
  const kinds = kindsOf(formats);
  const has = (kind: string) => kinds.includes(kind);
  const queries = formats.map((format) =>
    typeof format === 'object' && format.type === 'highlights' ? format.query : undefined,
  );
  const wanted = {
    markdown: has('markdown'),
    summary: has('summary'),
    links: has('links'),
    images: has('images'),
    /** The query for the passages. */
    highlights: queries.find(Boolean) ?? undefined,
  };
  const unknown = kinds.filter((kind) => !Object.hasOwn(wanted, kind));
  const isEmpty = formats.length > 0 && unknown.length === formats.length;
  if (isEmpty) approximate(param, 'These formats are not supported; the page is in markdown.');
  else if (unknown.length > 0) ignore(param);
  return isEmpty ? { ...wanted, markdown: true } : wanted;
}

/** If the caller names Firecrawl as the provider, it gets its own options unchanged. */
export function ownPages(given: Body & { formats?: Formats }, { urls }: Body) {
  const options = Object.fromEntries(nativeScrape.map((name) => [name, given[name]]));
  const { formats } = given;
  // Without the markdown, the gateway would not know whether a page has content.
  const isWhole = !formats || kindsOf(formats).includes('markdown');
  const wanted = isWhole ? formats : ['markdown', ...formats];
  return { request: present({ urls }), native: present({ ...options, formats: wanted }) };
}

/** Lists of kinds contain names, and objects with a name and options. */
export function kindsOf(list: readonly (string | { type?: string | null | undefined })[]) {
  return list.map((kind) => (typeof kind === 'string' ? kind : (kind.type ?? '')));
}

/** Never older than the caller allows. */
function ageIn({ given: { maxAge }, approximate }: PageReading): number | undefined {
  if (maxAge === undefined || maxAge === null || maxAge === defaultMaxAgeMs) return undefined;
  const hours = Math.min(Math.floor(maxAge / hourMs), maxAgeHours);
  if (hours * hourMs !== maxAge) approximate('maxAge', `The limit is ${hours} hours.`);
  return hours;
}

function timeoutIn({ given: { timeout }, approximate }: PageReading): number | undefined {
  if (!timeout || timeout <= maxTimeoutMs) return timeout || undefined;
  approximate('timeout', `A page may take at most ${maxTimeoutMs} ms.`);
  return maxTimeoutMs;
}
