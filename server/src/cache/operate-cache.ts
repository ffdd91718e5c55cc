// What operators can do with the cache: read its size, and empty it.
import type { CacheCleared, CacheStatus } from '@trivium/contract';
import type { Author } from '../audit/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Cache } from './cache.ts';

interface OperateContext {
  cache: Cache;
  settings: Pick<Settings, 'cache_max_entries' | 'cache_max_mb'>;
}

export async function readCache({ cache, settings }: OperateContext): Promise<CacheStatus> {
  const { entries, bytes } = await cache.size();
  const maxBytes = settings.cache_max_mb * 1024 * 1024;
  return { entries, bytes, max_entries: settings.cache_max_entries, max_bytes: maxBytes };
}

export async function clearCache(
  { cache }: Pick<OperateContext, 'cache'>,
  by: Author,
  accountId: string | undefined,
): Promise<CacheCleared> {
  return { deleted: await cache.clear(by, accountId) };
}
