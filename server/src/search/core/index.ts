// The pure part of search that other modules may use.
export { cutTo } from './cap-snippets.ts';
