// The pure part of extract that other modules may use.
export { matchPages } from './match-pages.ts';
