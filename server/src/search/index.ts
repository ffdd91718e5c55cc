// The parts of search that other modules may use.
export type { SearchContext } from './context.ts';
export { explainHeader } from './explain.ts';
export { makeOverlapCounts, overlapOf, registerOverlap, shareOf } from './overlap-counts.ts';
export { explainQuality } from './quality-order.ts';
export { performSearch, planSearch } from './search-engine.ts';
export { type AskShadow, makeShadows, type Shadows } from './shadows.ts';
export { makeSearchTool, priceOfSearch } from './search.ts';
