// The identity of a cached answer: the same account, tool, provider and parsed request. Only a
// digest is stored, so that the cache does not repeat what was asked.
import { canonicalJson } from '../billing/core/canonical-json.ts';
import { sha256Hex } from '../platform/ids.ts';

interface CachedRequest {
  account_id: string;
  tool: 'search' | 'extract';
  /** The provider that answers, not `auto`. */
  provider: string;
  /** Everything of the parsed request that can change the answer. */
  request: object;
}

export function entryId({ account_id, tool, provider, request }: CachedRequest): string {
  return sha256Hex(canonicalJson([account_id, tool, provider, request]));
}
