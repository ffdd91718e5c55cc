// The parts of cache that other modules may use.
export { type CacheContext, type CacheUse, cacheUseOf } from './cache-use.ts';
export { type Cache, makeCache } from './cache.ts';
export { clearCache, readCache } from './operate-cache.ts';
export { cacheExpiry } from './store/entries.ts';
