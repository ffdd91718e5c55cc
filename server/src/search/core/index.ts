// The pure part of search that other modules may use.
export { cutTo } from './cap-snippets.ts';
export { hostsOf, pageKey } from './page-key.ts';
