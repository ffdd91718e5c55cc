// The pure part of quality that other modules may use.
export { choose } from './choose.ts';
export { classOfSearch, isComparable, type SearchClass } from './search-class.ts';
