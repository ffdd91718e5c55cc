// How a provider can support a parameter of the API.
import type { DomainForms } from './domains.ts';

/** What was requested, flattened to `param -> value`, spelled as in the API. */
export type Asks = Readonly<Record<string, unknown>>;

export interface Condition {
  /** Completes the sentence "only when …" in the documentation and in warnings. */
  reads: string;
  holds: (asks: Asks, value: unknown) => boolean;
}

/** How a value without an exact counterpart is approximated. */
export type Near =
  | { kind: 'near'; value: string; note: string }
  /** A word is added to the query, and nothing else is sent for it. */
  | { kind: 'worded'; word: string };

/** `flat_site` omits the brackets, for engines that do not support them. */
export type Rewrite = 'site' | 'flat_site' | 'not_site' | 'after' | 'before' | 'since';

export type Support =
  /** Honoured exactly by the provider. */
  | { kind: 'native' }
  /** Honoured exactly by the gateway, on the results. */
  | { kind: 'trimmed' }
  /** Each value has its own counterpart. A value without one is ignored. */
  | { kind: 'choice'; rows: Readonly<Record<string, string | Near>> }
  /** A number that the provider accepts up to a maximum. */
  | { kind: 'capped'; at: number }
  /**
   * A text that the provider accepts up to a length or a number of words. Cut at a word boundary.
   */
  | { kind: 'limited'; at: number; words?: number }
  /** A list that the provider accepts up to a length. The rest is not sent. */
  | { kind: 'listed'; at: number }
  /**
   * A list of domains, sent in the forms that the provider accepts, and otherwise applied by the
   * gateway.
   */
  | { kind: 'domains'; forms: DomainForms }
  /** Sent, but only a hint for the provider. */
  | { kind: 'hint'; note: string }
  /** Written into the query. The gateway also filters, so a list may be cut. */
  | { kind: 'rewritten'; by: Rewrite }
  /** The gateway filters the results. */
  | { kind: 'post_filtered' }
  | { kind: 'when'; test: Condition; then: Support; otherwise: Support }
  /** Cannot be expressed at all. A missing row means the same. */
  | { kind: 'ignored'; note?: string };

/** What conditions lead to. */
export type Plain = Exclude<Support, { kind: 'when' }>;
