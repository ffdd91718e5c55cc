// The health of a provider: whether requests to it succeed, not only whether it is configured.
import type { ProviderDescription, ProviderRecord } from '@trivium/contract';
import type { Tone } from '../components/basics.tsx';
import { share } from '../format.ts';

/** With fewer requests than this, a percentage means little. */
const leastRequests = 10;
const someFail = 0.02;
const oftenFail = 0.2;

type Record = Pick<ProviderRecord, 'requests' | 'failures'>;

export function healthOf(
  { state, health }: Pick<ProviderDescription, 'state' | 'health'>,
  record: Record | undefined,
): readonly [Tone, string] {
  if (state === 'not_configured') return ['quiet', 'No credential'];
  if (state === 'disabled') return ['warn', 'Disabled'];
  if (health?.circuit === 'open') return ['bad', 'Circuit open'];
  if (health?.circuit === 'half_open') return ['bad', 'Circuit half open'];
  const { credentials = 0, credentials_refused: refused = 0 } = health ?? {};
  if (refused > 0 && refused === credentials) {
    return ['bad', credentials === 1 ? 'Credential refused' : 'Credentials refused'];
  }
  if (refused > 0) return ['warn', `${refused} of ${credentials} credentials refused`];
  if (record === undefined || record.requests === 0) return ['quiet', 'Not used yet'];
  const { requests, failures } = record;
  const rate = failures / requests;
  if (requests < leastRequests ? failures === 0 : rate < someFail) return ['good', 'Healthy'];
  const isOften = requests >= leastRequests && rate >= oftenFail;
  return [isOften ? 'bad' : 'warn', `${share(failures, requests)} failed`];
}
