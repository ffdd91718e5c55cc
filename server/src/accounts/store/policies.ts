// A policy, stored in one column of its account or key. A policy that sets no limit is null.
import { noPolicy } from '@trivium/contract';
import type { Policy } from '@trivium/contract';
import { checked, type Column, is, json, orNull, shapeOf } from '../../store/index.ts';

const isLimit = is.absentOr(is.nullOr(is.number));
const isList = is.absentOr(is.nullOr(is.listOf(is.text)));

/** Its values were validated when it was written. */
const isStoredPolicy = shapeOf<Partial<Policy>>({
  blocked_domains: isList,
  allowed_domains: isList,
  tools: isList,
  providers: isList,
  requests_per_minute: isLimit,
  requests_at_once: isLimit,
  max_cost_usd: isLimit,
  max_audio_minutes: isLimit,
  overdraft_usd: isLimit,
  max_stored_mb: isLimit,
  keep_query_hours: isLimit,
  content: is.absentOr(is.nullOr(is.text)),
});

export function writePolicy(policy: Policy | undefined): string | null {
  if (!policy) return null;
  const given = Object.entries(policy).filter(([, value]) => value !== null);
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

const stored = orNull(json(checked(isStoredPolicy)));

/** Throws if it cannot be read, because a limit must not be lost. */
export const policy: Column<Policy | undefined> = {
  type: 'text',
  read: (value, name) => {
    const limits = stored.read(value, name);
    return limits ? { ...noPolicy, ...limits } : undefined;
  },
  write: writePolicy,
};
