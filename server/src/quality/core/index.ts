// The pure part of quality that other modules may use.
export { choose, classOfSearch, isComparable, type QualityChoice } from './choose.ts';
