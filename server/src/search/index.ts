// The parts of search that other modules may use.
export { explainQuality } from './engine-choice.ts';
export type { SearchContext, Shadows } from './context.ts';
export { explainHeader } from './core/explain.ts';
export { makeOverlapCounts, overlapOf, registerOverlap, shareOf } from './overlap.ts';
export { performSearch, planSearch } from './search-engine.ts';
export { type AskShadow, makeShadows } from './shadows.ts';
export { makeSearchTool, priceOfSearch } from './search.ts';
