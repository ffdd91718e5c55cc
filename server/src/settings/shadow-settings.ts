// Shadow calls: which searches of which accounts are repeated on other engines, and with whose key.
import { searchEngineIds } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { z } from 'zod';
import { idList, words } from './setting-lists.ts';

export interface ShadowSettings {
  /** Of the searches that may be repeated, from 0 to 1. */
  share: number;
  engines: readonly SearchEngineId[];
  /** The API key that pays. */
  key: string;
  /** The only accounts; all where it is empty. */
  accounts: ReadonlySet<string>;
  excluded: ReadonlySet<string>;
  /** Only requests with one of these tags, as `team=search`; all where it is empty. */
  tags: readonly string[];
}

const accountIds = words(/^\S{1,100}$/, 'must be a comma-separated list of account ids');
const share = z.coerce
  .number('must be a share from 0 to 1')
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1');

export const shadowVariables = {
  TRIVIUM_SHADOW_SHARE: share.default(0),
  TRIVIUM_SHADOW_ENGINES: idList(searchEngineIds).default([]),
  TRIVIUM_SHADOW_KEY: z
    .string()
    .regex(/^sk_(?:live|test)_[A-Za-z0-9_-]{43}$/, 'must be an API key of the account that pays')
    .optional(),
  TRIVIUM_SHADOW_ACCOUNTS: accountIds.default([]),
  TRIVIUM_SHADOW_EXCLUDE: accountIds.default([]),
  TRIVIUM_SHADOW_TAGS: words(
    /^[A-Za-z0-9_.:-]{1,64}=[A-Za-z0-9_.:-]{1,64}$/,
    'must be a comma-separated list of tags such as team=search',
  ).default([]),
};

const ShadowVariables = z.object(shadowVariables);
type Given = z.infer<typeof ShadowVariables>;

/** An engine alone cannot be compared: two others have to agree or disagree with it. */
const leastEngines = 2;

export function shadowFault(v: Given): { path: [string]; message: string } | undefined {
  if (v.TRIVIUM_SHADOW_SHARE === 0) return undefined;
  if (v.TRIVIUM_SHADOW_ENGINES.length < leastEngines) {
    const message = `must name at least ${leastEngines} engines when TRIVIUM_SHADOW_SHARE is set`;
    return { path: ['TRIVIUM_SHADOW_ENGINES'], message };
  }
  if (v.TRIVIUM_SHADOW_KEY !== undefined) return undefined;
  const message = 'is required with TRIVIUM_SHADOW_SHARE: its account pays for the calls';
  return { path: ['TRIVIUM_SHADOW_KEY'], message };
}

/** Undefined when nothing is repeated. */
export function readShadow(v: Given): ShadowSettings | undefined {
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
