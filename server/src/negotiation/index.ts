// The parts of negotiation that other modules may use.
export {
  extractAsk,
  type ExtractAsk,
  extractAsks,
  extractParams,
  isNeutral,
  type SearchAsk,
  searchAsk,
  searchAsks,
  searchParams,
  type TranscribeAsk,
  transcribeAsk,
  transcribeAsks,
  transcribeParams,
} from './asks.ts';
export { closedRange, freshnessStart, isoDay, monthFirst, readDay, readYear } from './dates.ts';
export { describeSupports } from './describe.ts';
export { compileDomains, readEntry } from './domains.ts';
export { mergeBody, mergeQuery, type Query } from './merge-options.ts';
export { always, cutAtWord, negotiate, type Negotiated, type Supports } from './negotiate.ts';
export { filterResults } from './post-filter.ts';
export type { DomainForms } from './domain-forms.ts';
export type { Asks, Condition, Near, Rewrite, Support } from './support.ts';
