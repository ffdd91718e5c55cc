// The size of the cache, and the result of clearing it.
import { z } from 'zod';
import { AccountId } from './admin.ts';

const count = (meaning: string) => z.number().int().min(0).describe(meaning);

export const CacheStatus = z
  .object({
    entries: count('How many answers are stored.'),
    bytes: count('The size of the stored answers.'),
    max_entries: count('The maximum number of entries; the oldest are deleted first.'),
    max_bytes: count('The maximum size.'),
  })
  .describe('The cache of this deployment.');
export type CacheStatus = z.infer<typeof CacheStatus>;

export const CacheQuery = z
  .strictObject({ account_id: AccountId.optional().describe('Only the answers of this account.') })
  .describe('Which answers to delete.');

export const CacheCleared = z
  .object({ deleted: count('How many answers were deleted.') })
  .describe('What was deleted from the cache.');
export type CacheCleared = z.infer<typeof CacheCleared>;
