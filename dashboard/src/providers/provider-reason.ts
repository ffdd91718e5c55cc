// Why a provider is in its state, in a sentence.
import type { ProviderDescription, ProviderRefusal } from '@trivium/contract';
import { ago, hourOf } from '../format.ts';

const kinds: Readonly<Record<ProviderRefusal['kind'], string>> = {
  rate_limited: 'The vendor is rate limiting calls',
  unauthorized: 'The vendor refused the credential',
  out_of_credit: 'The vendor account is out of credit',
  unavailable: 'The vendor failed',
  unreachable: 'The vendor could not be reached',
  uncertain: 'No usable answer arrived in time',
};
/** Older problems of a working provider are not shown. */
const recentMs = 3_600_000;

export function reasonOf({ state, health }: ProviderDescription): string | undefined {
  if (state === 'not_configured') return 'No credential is set for it.';
  if (state === 'disabled') return 'Disabled by TRIVIUM_DISABLED_PROVIDERS.';
  if (!health) return undefined;
  const {
    last_refusal: last,
    circuit,
    retry_at,
    credentials_resting,
    credentials_refused,
  } = health;
  const next = retry_at === null ? '' : ` The next call is allowed at ${hourOf(retry_at)}.`;
  const troubled = circuit !== 'closed' || credentials_resting + credentials_refused > 0;
  if (last === null) return troubled && next !== '' ? next.trim() : undefined;
  if (!troubled && Date.now() - Date.parse(last.at) > recentMs) return undefined;
  const status = last.status === null ? '' : ` (status ${last.status})`;
  return `${kinds[last.kind]}${status}, ${ago(last.at)}.${next}`;
}
