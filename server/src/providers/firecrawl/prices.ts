// What Firecrawl charges, in credits: results in tens, and each scraped page, with or without a
// search, by its formats. Every answer reports its credits. Without a key it is free.
import {
  extractPrice,
  isOn,
  type Read,
  readCount,
  readName,
  searchPrice,
  sumOver,
  valueAt,
} from '../shared/price-rule.ts';

const creditsForTen = 2;
/** If the vendor must not keep the results, not even for a moment. */
const creditsForTenUnkept = 10;
const limitBounds = { absent: 10, max: 100 };
/** Each kind of source returns up to `limit` results. */
const maxSources = 4;

const plainFormats = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'screenshot',
  'summary',
  'attributes',
  'branding',
] as const;
/** What a format adds to the one credit of a page. */
const expensiveFormats = {
  json: 4,
  changeTracking: 4,
  deterministicJson: 9,
  question: 4,
  query: 4,
  highlights: 4,
  audio: 4,
  video: 4,
};
const expensiveNames = Object.keys(expensiveFormats) as (keyof typeof expensiveFormats)[];
const creditsForUnknownFormat = Math.max(...Object.values(expensiveFormats));
const creditsForAllFormats = sumOver(expensiveNames, (name) => expensiveFormats[name]);

/**
 * One credit with any of these (documentation, 2026-11-17). Stealth costs more (server,
 * 2026-11-16).
 */
const plainProxies = ['basic', 'auto', 'enhanced'] as const;
const creditsForProxy = 4;
/** For a page of X, instead of one credit (documentation, 2026-11-17). */
const creditsForPageOfX = 30;
/** For a page, or for one of its formats (documentation, 2026-11-17). */
const creditsForInjectionCheck = 4;
const creditsForLockdown = 4;
const creditsForRedaction = 4;
const creditsForNoRetention = 1;
const maxPdfPages = 10_000;

const scrapeOptions = [
  'formats',
  'proxy',
  'parsers',
  'lockdown',
  'redactPII',
  'zeroDataRetention',
  'checkPromptInjection',
] as const;
type ScrapeOption = (typeof scrapeOptions)[number];

const notes = {
  credit:
    'of the Standard plan (billing page, 2026-11-15). A page takes 1, of X 30, with ' +
    '`checkPromptInjection` 4 more (documentation, 2026-11-17); the answer says how many',
};

export const firecrawlSearchPrice = searchPrice({
  rates: { credit: 990 },
  notes,
  reads: [
    'limit',
    'sources',
    'enterprise',
    'scrapeOptions',
    ...scrapeOptions.map((option) => `scrapeOptions.${option}` as const),
  ],
  isFreeWithoutKey: true,
  each: ({ rates, bodies: [body], isBefore }, read) => {
    const wanted = readCount(read('limit'), limitBounds) * sourcesIn(read('sources'));
    const results = isBefore ? wanted : Math.min(resultsIn(body), wanted);
    const forTen = isOn(read('enterprise')) ? creditsForTenUnkept : creditsForTen;
    // A result may be a page of X.
    const page = isBefore ? creditsForPageOfX : 1;
    const scraped = isOn(read('scrapeOptions'))
      ? creditsForPage((option) => read(`scrapeOptions.${option}`), isBefore, page)
      : 0;
    return rates.credit * (forTen * Math.ceil(results / 10) + scraped * results);
  },
  reported: { at: 'creditsUsed', rate: 'credit' },
});

export const firecrawlPagePrice = extractPrice({
  rates: { credit: 990 },
  notes,
  reads: [...scrapeOptions, 'url'],
  isFreeWithoutKey: true,
  each: ({ rates, isBefore, delivered }, read) => {
    const page = isPageOfX(read('url')) ? creditsForPageOfX : 1;
    return rates.credit * creditsForPage(read, isBefore, page) * delivered;
  },
  reported: { at: 'data.metadata.creditsUsed', rate: 'credit' },
});

/**
 * The pages of a PDF are counted only if the caller limits how many may be read. Otherwise it is
 * known only after the call that a page is a PDF, and then the vendor reports the credits.
 */
function creditsForPage(read: Read<ScrapeOption>, isBefore: boolean, page: number): number {
  const proxy = readName(read('proxy') ?? 'auto', plainProxies) === undefined ? creditsForProxy : 0;
  const redaction = isOn(read('redactPII')) ? creditsForRedaction : 0;
  const pdfPages = isBefore ? pdfPagesIn(read('parsers')) : 0;
  return (
    page +
    creditsForFormats(read('formats')) +
    (checksInjection(read) ? creditsForInjectionCheck : 0) +
    proxy +
    redaction +
    (isOn(read('lockdown')) ? creditsForLockdown : 0) +
    (isOn(read('zeroDataRetention')) ? creditsForNoRetention : 0) +
    pdfPages * (1 + redaction)
  );
}

function checksInjection(read: Read<ScrapeOption>): boolean {
  const formats = read('formats');
  const isChecked = (format: unknown) =>
    typeof format === 'object' && isOn(valueAt(format, 'checkPromptInjection'));
  return isOn(read('checkPromptInjection')) || (Array.isArray(formats) && formats.some(isChecked));
}

function isPageOfX(url: unknown): boolean {
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined;
  return host !== undefined && /(?:^|\.)(?:x|twitter)\.com\.?$/.test(host);
}

function creditsForFormats(formats: unknown): number {
  if (formats === undefined) return 0;
  if (!Array.isArray(formats)) return creditsForAllFormats;
  const kinds = (formats as unknown[]).map(kindOf);
  const expensive = expensiveNames.filter((name) => kinds.includes(name));
  const unknown = kinds.some(
    (kind) => readName(kind, [...plainFormats, ...expensiveNames]) === undefined,
  );
  return (
    sumOver(expensive, (name) => expensiveFormats[name]) + (unknown ? creditsForUnknownFormat : 0)
  );
}

function pdfPagesIn(parsers: unknown): number {
  if (parsers === undefined) return 0;
  if (!Array.isArray(parsers) || parsers.length > 1) return maxPdfPages;
  const [parser] = parsers as unknown[];
  if (parsers.length === 0 || parser === 'pdf') return 0;
  return readCount(valueAt(parser, 'maxPages'), { absent: 0, max: maxPdfPages });
}

/** A format or source is given by its name, or as an object that contains it. */
function kindOf(entry: unknown): unknown {
  return typeof entry === 'string' ? entry : valueAt(entry, 'type');
}

function sourcesIn(sources: unknown): number {
  if (sources === undefined) return 1;
  return readCount(Array.isArray(sources) ? sources.length : NaN, { absent: 1, max: maxSources });
}

/** Counts all kinds of sources, including those that are not shown. */
function resultsIn(body: unknown): number {
  const data = valueAt(body, 'data');
  const lists: unknown[] = typeof data === 'object' && data !== null ? Object.values(data) : [];
  return sumOver(lists, (list) => (Array.isArray(list) ? list.length : 0));
}
