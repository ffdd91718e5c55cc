// Merges the caller's native options into a request to a vendor.
import type { WireRequest } from '../providers/index.ts';
import { mergeBody, mergeQuery } from '../negotiation/index.ts';

/** Into the body where there is one, otherwise into the query. */
export function withOptions(wire: WireRequest, options: Record<string, unknown>): WireRequest {
  if (Object.keys(options).length === 0) return wire;
  if (wire.body) return { ...wire, body: mergeBody(wire.body, options) };
  return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
}
