// The vocabulary of a provider's table: how it supports each parameter of the API, and
// conditions that several tables share.
import type { DomainForms } from './domain-forms.ts';

/** What was asked for, flattened to `param -> value`, spelled as in the API. */
export type Asks = Readonly<Record<string, unknown>>;

export interface Condition {
  /** Completes the sentence "only when …" in documentation and warnings. */
  reads: string;
  holds: (asks: Asks, value: unknown) => boolean;
}

/** How a value without an exact counterpart is approximated. */
export type Near =
  | { kind: 'near'; value: string; note: string }
  /** A word is added to the query as sent, and nothing else is sent for it. */
  | { kind: 'worded'; word: string };

/** `flat_site` leaves out the brackets, for engines that do not read them. */
export type Rewrite = 'site' | 'flat_site' | 'not_site' | 'after' | 'before' | 'since';

export type Support =
  /** Honoured exactly by the provider. `checked`: the gateway verifies it and warns of removals. */
  | { kind: 'native'; checked?: true }
  /** Honoured exactly by the gateway, on the results. */
  | { kind: 'trimmed' }
  /** Each value has its own counterpart; a value without one is ignored. */
  | { kind: 'choice'; rows: Readonly<Record<string, string | Near>> }
  /** A number the provider takes up to a ceiling. */
  | { kind: 'capped'; at: number }
  /** A text the provider takes up to a length, or a number of words; cut at a word boundary. */
  | { kind: 'limited'; at: number; words?: number }
  /** A list the provider takes up to a length; what exceeds it is not sent. */
  | { kind: 'listed'; at: number }
  /**
   * A list of domains, sent in the forms the provider takes and otherwise applied by the gateway.
   * With `checked` the gateway verifies all results, and warns of removals.
   */
  | { kind: 'domains'; forms: DomainForms; checked?: true }
  /** Sent, but only a hint to the provider. `checked`: the gateway removes what does not fit. */
  | { kind: 'hint'; note: string; checked: boolean }
  /** Written into the query. The gateway filters too, so a list may be cut. */
  | { kind: 'rewritten'; by: Rewrite }
  /** The gateway filters the results. */
  | { kind: 'post_filtered' }
  | { kind: 'when'; test: Condition; then: Support; otherwise: Support }
  /** Cannot be expressed at all. A missing row means the same. */
  | { kind: 'ignored'; note?: string };

export const native: Support = { kind: 'native' };
export const checkedNative: Support = { kind: 'native', checked: true };
export const trimmed: Support = { kind: 'trimmed' };
const ignored: Support = { kind: 'ignored' };
export const postFiltered: Support = { kind: 'post_filtered' };

export const capped = (at: number): Support => ({ kind: 'capped', at });
export const limited = (at: number): Support => ({ kind: 'limited', at });
export const limitedInWords = (at: number, words: number): Support => ({
  kind: 'limited',
  at,
  words,
});
export const listed = (at: number): Support => ({ kind: 'listed', at });
export const domains = (forms: DomainForms = {}): Support => ({ kind: 'domains', forms });
export const checkedDomains = (forms: DomainForms): Support => ({
  kind: 'domains',
  forms,
  checked: true,
});
export const choice = (rows: Readonly<Record<string, string | Near>>): Support => ({
  kind: 'choice',
  rows,
});
export const near = (value: string, note: string): Near => ({ kind: 'near', value, note });
export const worded = (word: string): Near => ({ kind: 'worded', word });
export const hint = (note: string): Support => ({ kind: 'hint', note, checked: false });
export const checkedHint = (note: string): Support => ({ kind: 'hint', note, checked: true });
export const checkedRewrite = (by: Rewrite): Support => ({ kind: 'rewritten', by });
export const ignoredBecause = (note: string): Support => ({ kind: 'ignored', note });
export const when = (test: Condition, then: Support, otherwise: Support = ignored): Support => ({
  kind: 'when',
  test,
  then,
  otherwise,
});

/** Follows conditions to a plain support. */
export function resolve(support: Support | undefined, asks: Asks, value: unknown): Plain {
  let current = support ?? ignored;
  while (current.kind === 'when') {
    current = current.test.holds(asks, value) ? current.then : current.otherwise;
  }
  return current;
}

export type Plain = Exclude<Support, { kind: 'when' }>;

/** The words added to a query for a category without a counterpart. */
export const categoryWords = {
  news: 'news',
  company: 'company',
  people: 'profile',
  research: 'research paper',
} as const;

/** In an extraction: the query steers these and nothing else. */
export const excerptsWanted: Condition = {
  reads: 'excerpts are asked for',
  holds: (asks) => asks['content.excerpts'] !== undefined,
};
export const summaryWanted: Condition = {
  reads: 'a summary is asked for',
  holds: (asks) => asks['content.summary'] === true,
};

export const nothingIncluded: Condition = {
  reads: 'include_domains is not used',
  holds: (asks) => ((asks['include_domains'] as string[] | undefined)?.length ?? 0) === 0,
};
