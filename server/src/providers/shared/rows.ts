// The rows of a vendor's table. One row says how a parameter is supported and which fields of the
// request it sets; `fieldsFrom` builds the request from the rows.
import { freshnessStart, isoDay, monthFirst } from '../../negotiation/index.ts';
import type { Condition, DomainForms, Near, Rewrite, Support } from '../../negotiation/index.ts';
import type { WireRequest } from './wire-request.ts';

export type Row = Support & {
  sets?: readonly WireField[];
  /** The native options that replace the parameter of a transcription. */
  replaced_by?: readonly string[];
};
export type Rows = Readonly<Partial<Record<string, Row>>>;

/** A field of the request, and how the parameter's value is written there. */
interface WireField {
  /** Its path, joined by dots. */
  field: string;
  spelling: Spelling;
}

/**
 * One of the spellings below, a table of values, or a function of the whole input for what these
 * cannot express. `elsewhere`: another row or the adapter sets the field. Undefined is not sent.
 */
type Spelling =
  | keyof typeof spellings
  | 'elsewhere'
  | Readonly<Record<string, unknown>>
  | ((input: never) => unknown);

const spellings = {
  as_is: (value: unknown) => value,
  upper: (value: unknown) => String(value).toUpperCase(),
  lower: (value: unknown) => String(value).toLowerCase(),
  /** Sent only if it is true. */
  flag: (value: unknown) => (value === true ? true : undefined),
  month_first: (value: unknown) => monthFirst(String(value)),
  day_start: (value: unknown) => `${String(value)}T00:00:00.000Z`,
  day_end: (value: unknown) => `${String(value)}T23:59:59.999Z`,
  /** A rolling window, as the time or the day at which it begins. */
  window_start: (value: unknown, now: Date) => freshnessStart(String(value), now).toISOString(),
  window_day: (value: unknown, now: Date) => isoDay(freshnessStart(String(value), now)),
};

/** The support of a parameter, and the field that it sets, or several fields by name. */
export function at(
  fields: string | Readonly<Record<string, Spelling>>,
  support: Support,
  spelling: Spelling = 'as_is',
): Row {
  const named = typeof fields === 'string' ? { [fields]: spelling } : fields;
  const sets = Object.entries(named).map(([field, one]) => ({ field, spelling: one }));
  return { ...support, sets };
}

/** The caller's native options that replace a parameter: its fields, unless others are given. */
export function replaceable(row: Row, by = row.sets?.map(({ field }) => field) ?? []): Row {
  return { ...row, replaced_by: by };
}

interface Input {
  ask: object;
  /** Absent for a transcription, which has no rolling window. */
  now?: Date;
}

/** Fields that no parameter sets, or that have a value unless one does. */
type Fixed = Readonly<Record<string, unknown>>;

/**
 * Prepares the interpreter of a table. The fields have the order of the rows; those in `first` come
 * before them, and fixed ones without a row after them.
 */
export function fieldsFrom(
  rows: Rows,
  fixed: Fixed = {},
  first: readonly string[] = [],
): (input: Input) => Record<string, unknown> {
  const set = Object.entries(rows).flatMap(([param, row]) =>
    (row?.sets ?? []).map(({ field, spelling }) => ({ param, path: field.split('.'), spelling })),
  );
  const names = [...first, ...set.map(({ path }) => String(path[0])), ...Object.keys(fixed)];
  const template = Object.fromEntries(names.map((name) => [name, fixed[name]]));
  const writers = set.flatMap(({ param, path, spelling }) =>
    spelling === 'elsewhere' ? [] : [{ param, path, write: writeFor(param, spelling) }],
  );
  return (input) => {
    const fields = { ...template };
    for (const { param, path, write } of writers) {
      const value = param in input.ask ? write(input) : undefined;
      if (value !== undefined && value !== '') setField(fields, path, value);
    }
    return fields;
  };
}

function writeFor(
  param: string,
  spelling: Exclude<Spelling, 'elsewhere'>,
): (input: Input) => unknown {
  if (typeof spelling === 'function') return spelling as (input: Input) => unknown;
  const valueOf = ({ ask }: Input) => (ask as Readonly<Record<string, unknown>>)[param];
  if (typeof spelling === 'object') return (input) => spelling[String(valueOf(input))];
  const spell = spellings[spelling];
  return (input) => spell(valueOf(input), input.now as Date);
}

/** The objects on the way are copied, because those of the template are shared. */
function setField(fields: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let object = fields;
  const last = path.length - 1;
  for (let at = 0; at < last; at += 1) {
    const inner = { ...(object[String(path[at])] as Record<string, unknown> | undefined) };
    object[String(path[at])] = inner;
    object = inner;
  }
  object[String(path[last])] = value;
}

/** The request of a product whose table says all of it. */
export function posts(
  path: string,
  rows: Rows,
  fixed?: Fixed,
  first?: readonly string[],
): (input: Input) => WireRequest[] {
  const fields = fieldsFrom(rows, fixed, first);
  return (input) => [{ method: 'POST', path, body: fields(input) }];
}

/** The same for an extraction of all pages of a call, or of its only one. */
export function postsPages(
  path: string,
  rows: Rows,
  pages: 'urls' | 'url',
  { fixed, host }: { fixed?: Fixed; host?: string } = {},
): (input: Input & { urls: readonly string[] }) => WireRequest[] {
  const fields = fieldsFrom(rows, fixed, [pages]);
  return (input) => {
    const body = fields(input);
    body[pages] = pages === 'urls' ? input.urls : input.urls[0];
    return [{ ...(host === undefined ? {} : { host }), method: 'POST', path, body }];
  };
}

/** Our parameter for each field of a table, as the vendor's warnings name the fields. */
export function namedFields(rows: Rows, except: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [param, row] of Object.entries(rows)) {
    if (except.includes(param)) continue;
    for (const { field } of row?.sets ?? [])
      named[field.slice(field.lastIndexOf('.') + 1)] ??= param;
  }
  return named;
}

export const native: Support = { kind: 'native' };
export const trimmed: Support = { kind: 'trimmed' };
export const postFiltered: Support = { kind: 'post_filtered' };
export const capped = (max: number): Support => ({ kind: 'capped', at: max });
export const limited = (chars: number, words?: number): Support => ({
  kind: 'limited',
  at: chars,
  ...(words === undefined ? {} : { words }),
});
export const listed = (max: number): Support => ({ kind: 'listed', at: max });
export const domains = (forms: DomainForms = {}): Support => ({ kind: 'domains', forms });
export const hint = (note: string): Support => ({ kind: 'hint', note });
export const rewritten = (by: Rewrite): Support => ({ kind: 'rewritten', by });
export const ignoredBecause = (note: string): Support => ({ kind: 'ignored', note });
export const choice = (rows: Readonly<Record<string, string | Near>>): Support => ({
  kind: 'choice',
  rows,
});
export const near = (value: string, note: string): Near => ({ kind: 'near', value, note });
export const worded = (word: string): Near => ({ kind: 'worded', word });
export const when = (
  test: Condition,
  then: Support,
  otherwise: Support = { kind: 'ignored' },
): Support => ({ kind: 'when', test, then, otherwise });

/** The words added to a query for a category without a counterpart. */
const categoryWords = {
  news: 'news',
  company: 'company',
  people: 'profile',
  research: 'research paper',
} as const;

/** A category without a counterpart becomes a word of the query. */
export function categories(
  own: Readonly<Partial<Record<keyof typeof categoryWords, string | Near>>>,
): Support {
  const words = Object.entries(categoryWords).map(([name, word]) => [name, worded(word)]);
  return choice({ general: '', ...(Object.fromEntries(words) as Record<string, Near>), ...own });
}

export const rankingHint = hint('used as a ranking hint, not as a filter.');
export const markdownOnly = ignoredBecause('the provider returns markdown.');
/** For a vendor that returns whole pages and nothing else. */
export const markdownPages = {
  'content.full_text': native,
  'content.max_chars': trimmed,
  'content.format': markdownOnly,
} satisfies Rows;
/** For a rolling window that begins on a day. */
export const wholeDays = choice({
  day: near('day', 'the provider counts whole days, so up to 48 hours are searched.'),
  week: 'week',
  month: 'month',
  year: 'year',
});

/** For a vendor that refuses countries or languages that are not on its list. */
export const ifKnown = (
  what: 'country' | 'language',
  isKnown: (code: string) => boolean,
  then: Support,
): Support =>
  when(
    {
      reads: `the provider supports the ${what}`,
      holds: (_asks, value) => isKnown(String(value)),
    },
    then,
    ignoredBecause(`the provider does not support this ${what}.`),
  );

/** Three vendors list the same countries. */
export const commonCountries: ReadonlySet<string> = new Set(
  `AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH
   TW TR GB US`.split(/\s+/),
);
export const inCommonCountries = (code: string) => commonCountries.has(code.toUpperCase());

/** In an extraction, the query affects only excerpts, and with some vendors a summary. */
const excerptsWanted: Condition = {
  reads: 'excerpts are requested',
  holds: (asks) => asks['content.excerpts'] !== undefined,
};
export const onlyForExcerpts = (support: Support): Support =>
  when(
    excerptsWanted,
    support,
    ignoredBecause('it affects only excerpts, and none were requested.'),
  );
export const forExcerptsOrSummary = (excerpts: Support, summary: Support): Support =>
  when(
    excerptsWanted,
    excerpts,
    when(
      { reads: 'a summary is requested', holds: (asks) => asks['content.summary'] === true },
      summary,
      ignoredBecause('it affects only excerpts and summaries, and neither was requested.'),
    ),
  );

export const withQuery: Condition = {
  reads: 'a query is given',
  holds: (asks) => asks['query'] !== undefined,
};
export const nothingIncluded: Condition = {
  reads: 'include_domains is not used',
  holds: (asks) => ((asks['include_domains'] as string[] | undefined)?.length ?? 0) === 0,
};
export const outside = (category: string): Condition => ({
  reads: `the category is not ${category}`,
  holds: (asks) => asks['category'] !== category,
});
