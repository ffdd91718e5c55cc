// The limits of a key in words.
import type { Key } from '@trivium/contract';
import { providerName } from '../api/names.ts';
import { exactUsd, when } from '../format.ts';

export function limitsOf(key: Key): string {
  const limits = [
    key.daily_cap_usd === null ? '' : `${exactUsd(key.daily_cap_usd)} a day`,
    key.monthly_cap_usd === null ? '' : `${exactUsd(key.monthly_cap_usd)} a month`,
    key.expires_at === null ? '' : `until ${when(key.expires_at)}`,
    key.providers === null ? '' : `only ${key.providers.map(providerName).join(', ')}`,
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'None' : limits.join('; ');
}
