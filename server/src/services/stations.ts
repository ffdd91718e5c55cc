// Which providers this deployment has: settings and the registry, brought together once at start.
import type { ProviderId } from '@trivium/contract';
import { provider_ids } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../platform/settings.ts';
import type { Upstreams } from '../platform/upstreams.ts';
import { providers } from '../providers/index.ts';
import { makeGuard } from './guard.ts';
import type { House, Station } from './house.ts';

export function makeStations(
  settings: Settings,
  upstreams: Upstreams,
  clock: Clock,
): House['stations'] {
  const limits = {
    most_running: settings.provider_concurrency,
    most_waiting: settings.provider_queue,
    longest_wait_ms: settings.provider_queue_ms,
  };
  return Object.fromEntries(
    provider_ids.map((id): [ProviderId, Station] => {
      const provider = providers[id];
      const upstream = upstreams[id];
      if (settings.disabled.has(id)) return [id, { provider, state: 'disabled' }];
      if (!upstream) return [id, { provider, state: 'not_configured' }];
      const guard = makeGuard(upstream, limits, clock);
      return [id, { provider, state: 'configured', upstream, guard }];
    }),
  ) as Record<ProviderId, Station>;
}
