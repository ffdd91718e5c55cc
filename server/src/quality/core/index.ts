// The pure part of quality that other modules may use.
export { classOfSearch, type SearchClass } from './search-class.ts';
