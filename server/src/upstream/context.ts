// What calling providers needs: the providers of this deployment, built once at start from the
// settings and the registry, and the parts of the application context.
import { type ProviderId, providerIds } from '@trivium/contract';
import type { PriceTable } from '../billing/core/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Send } from '../platform/http-client.ts';
import { gaugeLimit } from '../platform/limit-gauges.ts';
import type { Log } from '../platform/log.ts';
import type { Settings, Upstream, Upstreams } from '../settings/index.ts';
import { type Provider, providers } from '../providers/index.ts';
import type { Latencies } from './core/routing.ts';
import { makeGuard, type Guard } from './guard.ts';

/** How calls are made, timed and counted. */
export interface Connection {
  clock: Clock;
  send: Send;
  /** Absent if there are no metrics. */
  metrics?: Pick<ServiceMetrics, 'called' | 'adapterFailed'>;
}

/** What planning and making calls needs. */
export interface UpstreamContext extends Connection {
  log: Log;
  prices: PriceTable;
  providers: ConfiguredProviders;
  settings: Settings;
  /** Absent if no tool is routed by latency. */
  latencies?: Latencies;
  /** A random number from 0 to 1, for routing by weight. */
  random?: () => number;
}

/** A provider on this deployment. */
export interface ConfiguredProvider {
  provider: Provider;
  state: 'configured' | 'not_configured' | 'disabled';
  /**
   * Where and with which credential to call it. Also set for a disabled speech provider, because
   * the gateway follows accepted jobs until they end.
   */
  upstream?: Upstream;
  /** Circuit breaker, credential rotation and concurrency limit. Set together with `upstream`. */
  guard?: Guard;
}

/** A configured provider that can be called. */
export type ReadyProvider = ConfiguredProvider & { upstream: Upstream };

export type ConfiguredProviders = Readonly<Record<ProviderId, ConfiguredProvider>>;

export function configureProviders(
  settings: Settings,
  upstreams: Upstreams,
  clock: Clock,
): ConfiguredProviders {
  const limits = {
    maxRunning: settings.provider_concurrency,
    maxWaiting: settings.provider_queue,
    maxWaitMs: settings.provider_queue_ms,
  };
  return Object.fromEntries(
    providerIds.map((id): [ProviderId, ConfiguredProvider] => {
      const provider = providers[id];
      const upstream = upstreams[id];
      const isOff = settings.disabled_providers.has(id);
      if (isOff && !(upstream && provider.transcribe)) return [id, { provider, state: 'disabled' }];
      if (!upstream) return [id, { provider, state: 'not_configured' }];
      const guard = makeGuard(upstream, limits, clock);
      gaugeLimit(`circuits_${id}`, () => ({ entries: guard.circuits.own.size }));
      return [id, { provider, state: isOff ? 'disabled' : 'configured', upstream, guard }];
    }),
  ) as Record<ProviderId, ConfiguredProvider>;
}
