// Shadow calls: which searches of which accounts are repeated on other engines, and with whose key.
import { searchEngineIds } from '@trivium/contract';
import type { z } from 'zod';
import { idList, words } from './setting-lists.ts';
import { apiKey, share } from './setting-values.ts';

const accountIds = words(/^\S{1,100}$/, 'must be a comma-separated list of account ids');

export const shadowVariables = {
  TRIVIUM_SHADOW_SHARE: share
    .default(0)
    .describe(
      'the share of searches, from 0 to 1, that is repeated on other engines after the answer; see ' +
        '[Shadow calls](choosing.md#shadow-calls)',
    ),
  TRIVIUM_SHADOW_ENGINES: idList(searchEngineIds)
    .default([])
    .describe('the engines, at least two: their answers are compared'),
  TRIVIUM_SHADOW_KEY: apiKey('must be an API key of the account that pays')
    .optional()
    .describe('an API key of the account that pays for the calls'),
  TRIVIUM_SHADOW_ACCOUNTS: accountIds
    .default([])
    .meta({ default: 'all', description: 'the only accounts whose searches are repeated' }),
  TRIVIUM_SHADOW_EXCLUDE: accountIds
    .default([])
    .describe('accounts whose searches are never repeated'),
  TRIVIUM_SHADOW_TAGS: words(
    /^[A-Za-z0-9_.:-]{1,64}=[A-Za-z0-9_.:-]{1,64}$/,
    'must be a comma-separated list of tags such as team=search',
  )
    .default([])
    .meta({
      default: 'all',
      description: 'repeat only searches with one of these tags, such as `team=search`',
    }),
};

export type ShadowSettings = NonNullable<ReturnType<typeof readShadow>>;

/** Undefined when nothing is repeated. */
export function readShadow(v: z.output<z.ZodObject<typeof shadowVariables>>) {
  const { TRIVIUM_SHADOW_SHARE: ofSearches, TRIVIUM_SHADOW_KEY: key } = v;
  if (ofSearches === 0 || key === undefined) return undefined;
  return {
    share: ofSearches,
    engines: v.TRIVIUM_SHADOW_ENGINES,
    key,
    accounts: new Set(v.TRIVIUM_SHADOW_ACCOUNTS),
    excluded: new Set(v.TRIVIUM_SHADOW_EXCLUDE),
    tags: v.TRIVIUM_SHADOW_TAGS,
  };
}
