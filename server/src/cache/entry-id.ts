// The identity of a cached answer: the same account, tool, provider and parsed request. Only a
// digest is stored, so that the cache does not repeat what was asked.
import { canonicalJson } from '../requests/core/index.ts';
import { sha256Hex } from '../platform/ids.ts';

interface CachedRequest {
  account_id: string;
  tool: 'search' | 'extract';
  /** The provider that answers, not `auto`. */
  provider: string;
  /** Everything of the parsed request that can change the answer. */
  request: object;
  /** The domains that the caller's policy allows, as text; entries of other rules are others. */
  pages?: string | undefined;
}

export function entryId(cached: CachedRequest): string {
  const { account_id, tool, provider, request, pages } = cached;
  const rules = pages === undefined ? [] : [pages];
  return sha256Hex(canonicalJson([account_id, tool, provider, request, ...rules]));
}
