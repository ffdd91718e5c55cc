// The parts of negotiation that other modules may use.
export {
  extractAsk,
  type ExtractAsk,
  extractAsks,
  isNeutral,
  type SearchAsk,
  searchAsk,
  searchAsks,
  type TranscribeAsk,
  transcribeAsk,
  transcribeAsks,
} from './asks.ts';
export { closedRange, freshnessStart, isoDay, monthFirst, readDay, readYear } from './dates.ts';
export { describeSupports } from './describe.ts';
export { compileDomains, readEntry } from './domains.ts';
export { cutAtWord, negotiate, type Negotiated, type Supports } from './negotiate.ts';
export { filterResults } from './post-filter.ts';
export type { DomainForms } from './domains.ts';
export type { Asks, Condition, Near, Rewrite, Support } from './support.ts';
