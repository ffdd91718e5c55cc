// The parts of cache that other modules may use.
export { type Cache, type CacheUse, makeCache } from './cache.ts';
export { cacheExpiry } from './store/entries.ts';
