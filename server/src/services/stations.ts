// Which providers this deployment has: settings and the registry, brought together once at start.
import type { ProviderId } from '@trivium/contract';
import { provider_ids } from '@trivium/contract';
import type { Settings } from '../platform/settings.ts';
import type { Upstreams } from '../platform/upstreams.ts';
import { providers } from '../providers/index.ts';
import type { House, Station } from './house.ts';

export function makeStations(settings: Settings, upstreams: Upstreams): House['stations'] {
  return Object.fromEntries(
    provider_ids.map((id): [ProviderId, Station] => {
      const provider = providers[id];
      const upstream = upstreams[id];
      if (settings.disabled.has(id)) return [id, { provider, state: 'disabled' }];
      if (!upstream) return [id, { provider, state: 'not_configured' }];
      return [id, { provider, state: 'configured', upstream }];
    }),
  ) as Record<ProviderId, Station>;
}
