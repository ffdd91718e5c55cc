// Flattens a request into asks, once: every parameter by its API name, and which values are
// neutral. The granted ones become the ask that an adapter receives.
import type { ExtractRequest, SearchRequest, TranscriptionRequest } from '@trivium/contract';
import type { Asks } from './support.ts';

/** The possible values of a parameter, in the provider's terms. */
interface Values {
  text: string;
  number: number;
  flag: boolean;
  texts: string[];
  excerpts: { max_per_url?: number; max_chars_per_excerpt?: number };
}

type Table = Readonly<Record<string, { is: keyof Values; always?: true; absent?: unknown }>>;

/** Contains only granted values. Those of `always` are in every ask. */
type Ask<T extends Table> = {
  [P in keyof T as T[P] extends { always: true } ? P : never]: Values[T[P]['is']];
} & {
  [P in keyof T as T[P] extends { always: true } ? never : P]?: Values[T[P]['is']];
};

/** Every search parameter, in the order of the interface. */
const search = {
  query: { is: 'text', always: true },
  max_results: { is: 'number', always: true },
  mode: { is: 'text' },
  include_domains: { is: 'texts' },
  exclude_domains: { is: 'texts' },
  published_after: { is: 'text' },
  published_before: { is: 'text' },
  freshness: { is: 'text' },
  'content.snippets.max_per_result': { is: 'number' },
  'content.snippets.max_chars_per_snippet': { is: 'number' },
  'content.full_text': { is: 'flag' },
  'content.summary': { is: 'flag' },
  'locale.country': { is: 'text' },
  'locale.language': { is: 'text' },
  category: { is: 'text' },
  safe_search: { is: 'text' },
  offset: { is: 'number' },
} as const satisfies Table;

/** Every extraction parameter, in the order of the interface. */
const extract = {
  query: { is: 'text' },
  'content.full_text': { is: 'flag', always: true, absent: true },
  'content.max_chars': { is: 'number' },
  'content.excerpts': { is: 'excerpts' },
  'content.summary': { is: 'flag' },
  'content.format': { is: 'text' },
  include_links: { is: 'flag' },
  include_images: { is: 'flag' },
  max_age_hours: { is: 'number' },
  timeout_ms: { is: 'number' },
} as const satisfies Table;

/** Every transcription parameter, in the order of the interface. */
const transcribe = {
  model: { is: 'text', always: true },
  language: { is: 'text' },
  diarize: { is: 'flag' },
  keyterms: { is: 'texts' },
  timestamps: { is: 'text', always: true },
} as const satisfies Table;

export type SearchAsk = Ask<typeof search>;
export type ExtractAsk = Ask<typeof extract>;
export type TranscribeAsk = Ask<typeof transcribe>;

export const paramsOf = {
  search: Object.keys(search),
  extract: Object.keys(extract),
  transcribe: Object.keys(transcribe),
};

export const searchAsk = (granted: Granted) => checked(search, granted);
export const extractAsk = (granted: Granted) => checked(extract, granted);
export const transcribeAsk = (granted: Granted) => checked(transcribe, granted);

type Granted = Record<string, unknown>;

/** Throws if an adapter's table grants what no adapter can read, which is a bug of ours. */
function checked<T extends Table>(table: T, granted: Granted): Ask<T> {
  if (isAsk(table, granted)) return granted;
  throw new Error(`the granted parameters are not an ask: ${Object.keys(granted).join(', ')}`);
}

function isAsk<T extends Table>(table: T, granted: Granted): granted is Ask<T> {
  for (const param in granted) {
    const row = table[param];
    if (!row || !isValue[row.is](granted[param])) return false;
  }
  for (const param in table) if (table[param]?.always && !(param in granted)) return false;
  return true;
}

const isValue: Readonly<Record<keyof Values, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  excerpts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** What a request asks for. The names of the parameters are their paths in the request. */
function asksIn(table: Table): (request: object) => Record<string, unknown> {
  const rows = Object.entries(table).map(([param, row]) => ({
    param,
    path: param.split('.'),
    absent: row.absent,
  }));
  return (request) => {
    const asks: Record<string, unknown> = {};
    for (const { param, path, absent } of rows) {
      let value: unknown = request;
      for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
      value ??= absent;
      if (value !== undefined) asks[param] = value;
    }
    return asks;
  };
}

const askedOfSearch = asksIn(search);
const askedOfExtract = asksIn(extract);
const askedOfTranscribe = asksIn(transcribe);

export function searchAsks(request: SearchRequest): Asks {
  const asks = askedOfSearch(request);
  // The one code that people use although it is not a country code.
  if (request.locale?.country?.toUpperCase() === 'UK') asks['locale.country'] = 'GB';
  return asks;
}

export function extractAsks(request: ExtractRequest): Asks {
  return askedOfExtract(request);
}

/** Includes the model, because other rows depend on it. */
export function transcribeAsks(request: TranscriptionRequest, model: string): Asks {
  return askedOfTranscribe({ ...request, model });
}

/** A neutral value is honoured by doing nothing, so it never causes a warning. */
export function isNeutral(param: string, value: unknown): boolean {
  if (value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return neutralValues[param] === value;
}

const neutralValues: Readonly<Record<string, unknown>> = {
  offset: 0,
  category: 'general',
  'content.format': 'markdown',
};
