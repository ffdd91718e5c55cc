// The algebra of support: how a provider's table says what it does with a parameter of ours.
import type { DomainForms } from './domain-forms.ts';

/** What was asked for, flattened to `param -> value`, spelled as in the API. */
export type Asks = Readonly<Record<string, unknown>>;

export interface Condition {
  /** Completes the sentence "only when …" in documentation and warnings. */
  reads: string;
  holds: (asks: Asks, value: unknown) => boolean;
}

/** How a value that has no exact counterpart is served all the same. */
export type Near =
  | { kind: 'near'; value: string; note: string }
  /** A word is added to the query as sent, and nothing else is sent for it. */
  | { kind: 'worded'; word: string };

/** `flat_site` leaves out the brackets, for engines that do not read them. */
export type Rewrite = 'site' | 'flat_site' | 'not_site' | 'after' | 'before' | 'since';

export type Support =
  /** Honoured exactly by the provider. `checked`: we make sure, and warn only of what had to go. */
  | { kind: 'native'; checked?: true }
  /** Honoured exactly by us, on what comes back. */
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
   * A list of domains, sent in the forms the provider takes and otherwise applied by us. `checked`:
   * we make sure even of what it takes, and warn only of what had to go.
   */
  | { kind: 'domains'; forms: DomainForms; checked?: true }
  /** Sent, but the provider follows it only loosely. `checked`: we remove what does not fit. */
  | { kind: 'hint'; note: string; checked: boolean }
  /** Folded into the query text. `checked`: we filter too, so a list may be folded in part. */
  | { kind: 'rewritten'; by: Rewrite; checked: boolean }
  /**
   * Results are removed by us. `sent`: the provider gets the value too, as far as it can use it.
   */
  | { kind: 'post_filtered'; sent: boolean }
  | { kind: 'when'; test: Condition; then: Support; otherwise: Support }
  /**
   * Cannot be expressed at all. A missing row means the same. `neverNeutral`: the provider does
   * something of its own that the caller's value would have to undo, so even a value that asks for
   * nothing elsewhere is warned about.
   */
  | { kind: 'ignored'; note?: string; neverNeutral?: true };

export const native: Support = { kind: 'native' };
export const checkedNative: Support = { kind: 'native', checked: true };
export const trimmed: Support = { kind: 'trimmed' };
export const ignored: Support = { kind: 'ignored' };
export const postFiltered: Support = { kind: 'post_filtered', sent: false };
/** The provider narrows as far as it can and we remove the rest. */
export const sentAndFiltered: Support = { kind: 'post_filtered', sent: true };

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
export const rewritten = (by: Rewrite): Support => ({ kind: 'rewritten', by, checked: false });
export const checkedRewrite = (by: Rewrite): Support => ({ kind: 'rewritten', by, checked: true });
export const ignoredBecause = (note: string): Support => ({ kind: 'ignored', note });
export const ignoredAlways: Support = { kind: 'ignored', neverNeutral: true };
export const when = (test: Condition, then: Support, otherwise: Support = ignored): Support => ({
  kind: 'when',
  test,
  then,
  otherwise,
});

/** Follows conditions until a plain support is left. Tables nest a handful deep at most. */
export function resolve(support: Support | undefined, asks: Asks, value: unknown): Plain {
  let current = support ?? ignored;
  while (current.kind === 'when') {
    current = current.test.holds(asks, value) ? current.then : current.otherwise;
  }
  return current;
}

export type Plain = Exclude<Support, { kind: 'when' }>;

/** The words the nearest hint adds to a query for a category without a counterpart. */
export const category_words = {
  news: 'news',
  company: 'company',
  people: 'profile',
  research: 'research paper',
} as const;
