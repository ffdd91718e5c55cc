// The limits of a key in words.
import type { Key } from '@trivium/contract';
import { providerName } from '../api/names.ts';
import { count, exactUsd, when } from '../format.ts';

export function limitsOf(key: Key): string {
  const limits = [
    key.daily_cap_usd === null ? '' : `${exactUsd(key.daily_cap_usd)} a day`,
    key.monthly_cap_usd === null ? '' : `${exactUsd(key.monthly_cap_usd)} a month`,
    key.expires_at === null ? '' : `until ${when(key.expires_at)}`,
    key.tools === null ? '' : `only ${key.tools.join(', ')}`,
    key.providers === null ? '' : `only ${key.providers.map(providerName).join(', ')}`,
    key.requests_per_minute === null ? '' : `${count(key.requests_per_minute)} a minute`,
    key.requests_at_once === null ? '' : `${count(key.requests_at_once)} at once`,
    key.max_cost_usd === null ? '' : `${exactUsd(key.max_cost_usd)} a request`,
    key.max_audio_minutes === null ? '' : `recordings of ${key.max_audio_minutes} min`,
    key.overdraft_usd === null ? '' : `overdraft ${exactUsd(key.overdraft_usd)}`,
    key.max_stored_mb === null ? '' : `${count(key.max_stored_mb)} MiB stored`,
    key.allowed_domains === null ? '' : `${key.allowed_domains.length} domains allowed`,
    key.blocked_domains === null ? '' : `${key.blocked_domains.length} domains blocked`,
    key.keep_query_hours === null ? '' : `queries kept ${key.keep_query_hours} h`,
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'None' : limits.join('; ');
}
