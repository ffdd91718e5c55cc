// The endpoints of the cache in the OpenAPI document.
import { CacheQuery } from './cache.ts';
import { adminOperation, busy, queryParameters } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';

export function cachePaths(): Record<string, object> {
  return {
    '/admin/v1/cache': { get: adminOperation(readCache), delete: adminOperation(clearCache) },
  };
}

const readCache: AdminEndpoint = {
  id: 'readCache',
  summary: 'Read the size of the cache',
  description: 'Returns how many answers are cached, and the limits.',
  response: 'CacheStatus',
  example: { entries: 12, bytes: 148_031, max_entries: 50_000, max_bytes: 536_870_912 },
  failures: busy,
};

const clearCache: AdminEndpoint = {
  id: 'clearCache',
  summary: 'Empty the cache',
  description: 'Deletes the cached answers of one account, or of all accounts.',
  response: 'CacheCleared',
  example: { deleted: 12 },
  failures: [400],
  parameters: queryParameters(CacheQuery),
};
