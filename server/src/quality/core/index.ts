// The pure part of quality that other modules may use.
export { choose } from './choose.ts';
export { classOfSearch, type SearchClass } from './search-class.ts';
