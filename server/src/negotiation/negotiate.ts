// Negotiation: compares every ask with a provider's table. An ask is granted exactly, or named in a
// warning.
import type { Warning } from '@trivium/contract';
import { isNeutral } from './asks.ts';
import { type DomainForms, sentExclude, sentInclude } from './domains.ts';
import {
  cutToWords,
  entriesThatFit,
  isWritable,
  limitWords,
  operatorsFor,
  type QueryLimit,
  wordsIn,
} from './fit-query.ts';
import type { Asks, Near, Plain, Rewrite, Support } from './support.ts';

/** A filter that the gateway applies to the provider's results. */
export interface Filter {
  param: string;
  value: unknown;
  /** The index in `warnings` of the warning that reports the count. Absent for a silent check. */
  warning?: number;
}

export interface Negotiated {
  /**
   * The values that the adapter may use, in the provider's terms. Only granted values are included.
   */
  granted: Record<string, unknown>;
  warnings: Warning[];
  filters: Filter[];
}

export type Supports = Readonly<Partial<Record<string, Support>>>;

export function negotiate(supports: Supports, asks: Asks, now: Date): Negotiated {
  const outcome: Draft = { granted: {}, warnings: [], filters: [], suffix: '', folded: [], now };
  for (const param in asks) {
    const value = asks[param];
    const plain = resolve(supports[param] ?? always[param], asks, value);
    if (isNeutral(param, value) && !isWeighed(plain, value)) continue;
    const at = outcome.warnings.length;
    weigh(outcome, param, value, plain);
    if (checked.has(param) && !isNeutral(param, value)) check(outcome, param, value, at);
  }
  finishQuery(outcome);
  const { granted, warnings, filters } = outcome;
  return { granted, warnings: warnings.map(asSentence), filters };
}

const ignored: Support = { kind: 'ignored' };

/** Follows conditions to an unconditional support. */
export function resolve(support: Support | undefined, asks: Asks, value: unknown): Plain {
  let current = support ?? ignored;
  while (current.kind === 'when') {
    current = current.test.holds(asks, value) ? current.then : current.otherwise;
  }
  return current;
}

/** Filters that the gateway applies to the results of every provider, also of one that has them. */
const checked: ReadonlySet<string> = new Set([
  'include_domains',
  'exclude_domains',
  'published_after',
  'published_before',
  'freshness',
]);

/** `at` is the index of the parameter's warning, if there is one. */
function check({ filters, warnings }: Draft, param: string, value: unknown, at: number): void {
  const given = warnings[at];
  if (given?.code === 'param_ignored') return;
  filters.push({ param, value, ...(given ? { warning: at } : {}) });
}

/** Parameters that the gateway itself honours, for every provider. */
export const always: Supports = {
  'content.snippets.max_per_result': { kind: 'trimmed' },
  'content.snippets.max_chars_per_snippet': { kind: 'trimmed' },
};

interface Draft extends Negotiated {
  /** Operators and words to append to the query. */
  suffix: string;
  /** Lists to append after the suffix, as far as they fit. */
  folded: { by: Rewrite; entries: string[]; warning: number }[];
  /** The provider's limit for the query with its suffix. */
  queryLimit?: { at: number; words?: number };
  now: Date;
}

/** Cuts the caller's words if needed, but never the operators that express filters. */
function finishQuery(draft: Draft): void {
  const query = draft.granted['query'];
  if (typeof query !== 'string') return;
  const { at = Infinity, words = Infinity } = draft.queryLimit ?? {};
  const isAlone = draft.suffix === '' && draft.folded.length === 0;
  if (isAlone && words === Infinity && query.length <= at) return;
  foldLists(draft, query, { chars: at, words });
  const charsLeft = at - draft.suffix.length;
  const wordsLeft = words === Infinity ? words : words - wordsIn(draft.suffix) + 1;
  const counted = cutToWords(query, wordsLeft);
  const kept = counted.length <= charsLeft ? counted : cutAtWord(counted, Math.max(charsLeft, 1));
  draft.granted['query'] = kept + draft.suffix;
  if (kept !== query) {
    const limit = `the provider accepts ${limitWords(draft.queryLimit ?? { at })}`;
    approximated(draft, 'query', `cut at a word boundary: ${limit}.`);
  }
}

/**
 * Writes each list into the query as far as it fits; the gateway filters the results by the whole
 * list. Each list has one warning. The warning is `post_filtered` if our filter makes up for what
 * was not written, and `approximated` if included hosts are missing from the query: their pages are
 * never searched, so no filter can restore them.
 */
function foldLists(draft: Draft, query: string, limit: QueryLimit): void {
  for (const { by, entries, warning: at } of draft.folded) {
    const write = (list: readonly string[]) => operatorsFor(by, list, draft.now);
    const writable = entries.filter((entry) => isWritable(by, entry));
    const count = entriesThatFit(writable, write, { query, suffix: draft.suffix, limit });
    if (count > 0) draft.suffix += ` ${write(writable.slice(0, count))}`;
    const warning = draft.warnings[at];
    if (count === entries.length || !warning) continue;
    const sent = `${count} of ${entries.length} entries were written into the query as operators`;
    const reason = count < writable.length ? ', because the provider limits its length' : '';
    if (by === 'not_site' || count === 0) {
      warning.code = 'results_post_filtered';
      warning.message = `${sent}${reason}; all of them were applied to the results.`;
    } else {
      warning.message = `${sent}${reason}; the other hosts were not searched.`;
    }
  }
}

function weigh(draft: Draft, param: string, value: unknown, plain: Plain): void {
  switch (plain.kind) {
    case 'native':
    case 'trimmed':
      draft.granted[param] = value;
      return;
    case 'choice':
      return weighChoice(draft, param, String(value), plain.rows[String(value)]);
    case 'capped':
      draft.granted[param] = Math.min(Number(value), plain.at);
      if (Number(value) > plain.at) {
        approximated(draft, param, `capped at ${plain.at}, the provider's maximum.`);
      }
      return;
    case 'limited':
      return weighText(draft, param, String(value), plain);
    case 'listed':
      return weighList(draft, param, value, plain.at);
    case 'domains':
      return weighDomains(draft, param, value as string[], plain);
    case 'hint':
      draft.granted[param] = value;
      return approximated(draft, param, plain.note);
    case 'rewritten':
      if (Array.isArray(value)) {
        draft.folded.push({ by: plain.by, entries: value, warning: draft.warnings.length });
      } else {
        draft.suffix += ` ${operatorsFor(plain.by, value, draft.now)}`;
      }
      return approximated(draft, param, 'rewritten into operators in the query.');
    case 'post_filtered':
      draft.warnings.push({
        code: 'results_post_filtered',
        param,
        message: 'the provider lacks this filter, so it was applied to the results.',
      });
      return;
    case 'ignored':
      draft.warnings.push({
        code: 'param_ignored',
        param,
        message: plain.note ?? 'the provider cannot express this parameter, so it was dropped.',
      });
      return;
  }
}

function weighChoice(draft: Draft, param: string, value: string, row: string | Near | undefined) {
  if (row === undefined) {
    draft.warnings.push({
      code: 'param_ignored',
      param,
      message: `the provider has no equivalent of "${value}", so it was dropped.`,
    });
  } else if (typeof row === 'string') {
    draft.granted[param] = row;
  } else if (row.kind === 'near') {
    draft.granted[param] = row.value;
    approximated(draft, param, row.note);
  } else {
    draft.suffix += ` ${row.word}`;
    approximated(draft, param, `"${row.word}" was added to the query; there is no such filter.`);
  }
}

/** The query is cut last, when its suffix is known. Other texts are cut at once. */
function weighText(
  draft: Draft,
  param: string,
  value: string,
  limit: { at: number; words?: number },
): void {
  const { at } = limit;
  draft.granted[param] = value;
  if (param === 'query') {
    draft.queryLimit = limit;
  } else if (value.length > at) {
    draft.granted[param] = cutAtWord(value, at);
    approximated(draft, param, `cut at a word boundary: the provider accepts ${at} characters.`);
  }
}

function weighList(draft: Draft, param: string, value: unknown, at: number): void {
  const list = value as unknown[];
  draft.granted[param] = list.slice(0, at);
  if (list.length > at) {
    approximated(
      draft,
      param,
      `only the first ${at} entries were sent, because the provider accepts no more.`,
    );
  }
}

function weighDomains(
  draft: Draft,
  param: string,
  entries: string[],
  { forms }: { forms: DomainForms },
): void {
  const send = param === 'include_domains' ? sentInclude : sentExclude;
  const { texts, note, cut } = send(entries, forms);
  if (texts !== undefined) draft.granted[param] = texts;
  if (note === undefined) return;
  const code = cut ? 'param_approximated' : 'results_post_filtered';
  draft.warnings.push({ code, param, message: note });
}

/** Notes are also used in tables, but a warning is a full sentence. */
function asSentence(warning: Warning): Warning {
  const { message } = warning;
  return { ...warning, message: message.charAt(0).toUpperCase() + message.slice(1) };
}

function approximated(draft: Draft, param: string, message: string): void {
  draft.warnings.push({ code: 'param_approximated', param, message });
}

/** True if a neutral value is negotiated as well. An empty list is not sent. */
function isWeighed(plain: Plain, value: unknown): boolean {
  if (plain.kind === 'native') return !Array.isArray(value);
  return plain.kind === 'choice' && typeof plain.rows[String(value)] === 'string';
}

export function cutAtWord(text: string, at: number): string {
  const cut = text.slice(0, at);
  if (/\s/.test(text.charAt(at))) return cut.trimEnd();
  const space = cut.search(/\s\S*$/);
  return (space > 0 ? cut.slice(0, space) : cut).trimEnd();
}
