// The contexts for calling a provider, from narrow to wide. A function takes the narrowest one that
// it needs.
import type { PriceTable } from '../billing/core/index.ts';
import type { BillingContext } from '../billing/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Send } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../settings/index.ts';
import type { ConfiguredProviders } from './configured-providers.ts';

export interface UpstreamContext {
  clock: Clock;
  send: Send;
  /** Counts the calls. Absent if there are no metrics. */
  metrics?: Pick<ServiceMetrics, 'called' | 'adapterFailed'>;
}

/** What planning a call needs: the time, the prices, and the limits of one request. */
export interface PlanContext {
  clock: Clock;
  prices: PriceTable;
  settings: Pick<Settings, 'max_request_usd' | 'provider_queue_ms'>;
}

/** What planning and making a call needs. The log receives prices that look wrong. */
export interface CallContext extends UpstreamContext, PlanContext {
  log: Log;
}

/** What a tool needs to serve a paid request: planning, calling and charging. */
export interface ToolContext extends UpstreamContext, BillingContext {
  metrics?: ServiceMetrics;
  prices: PriceTable;
  providers: ConfiguredProviders;
  settings: Settings;
  /** For routing by weight. */
  random?: () => number;
}
