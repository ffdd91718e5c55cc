// What every service is handed: the devices and tables the roof has put together.
import type { ProviderId, ToolName } from '@trivium/contract';
import type { ClaimRef } from '../domain/ledger/claims.ts';
import type { PriceTable } from '../domain/prices.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Send } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { Upstream } from '../platform/upstreams.ts';
import type { Provider } from '../providers/provider.ts';
import type { Guard } from './guard.ts';
import type { Ledger } from './ledger.ts';
import type { Watch } from './watch.ts';

/** A provider on this deployment. */
export interface Station {
  provider: Provider;
  state: 'configured' | 'not_configured' | 'disabled';
  /** Where and with which credential to call it; only when configured. */
  upstream?: Upstream;
  /** Keeps a failing or busy provider from taking the gateway down with it. */
  guard?: Guard;
}

export interface House {
  settings: Settings;
  clock: Clock;
  database: Database;
  ledger: Ledger;
  send: Send;
  log: Log;
  prices: PriceTable;
  stations: Readonly<Record<ProviderId, Station>>;
  /** Counts what happens, for the metrics. */
  watch?: Watch;
}

/** Who is asking. */
export interface Caller {
  account_id: string;
  key_id: string;
  /** Has no cap on what it may spend. */
  uncapped?: boolean;
  /** The only providers this key may use; absent for a key without limits. */
  providers?: readonly ProviderId[];
}

/** One request that costs money, on its way through the house. */
export interface Asking {
  request_id: string;
  caller: Caller;
  tool: ToolName;
  /** On the clock's ticks. */
  started: number;
  /** The header x-max-cost-usd, checked but as written. */
  max_cost_usd?: string;
  /** The idempotency key it runs under. */
  claim?: ClaimRef;
  /** Ends waiting for a provider that was not called yet; a call under way is always finished. */
  signal?: AbortSignal;
  /** True once the caller has hung up. */
  hasLeft?: () => boolean;
  /** What becomes known on the way, for the request log. */
  seen: {
    provider?: string;
    /** As its last row says. */
    status?: number;
  };
}
