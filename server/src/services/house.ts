// What every service is handed: the devices and tables the roof has put together.
import type { ProviderId } from '@trivium/contract';
import type { PriceTable } from '../domain/prices.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Send } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { Upstream } from '../platform/upstreams.ts';
import type { Provider } from '../providers/provider.ts';
import type { Guard } from './guard.ts';

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
  send: Send;
  log: Log;
  prices: PriceTable;
  stations: Readonly<Record<ProviderId, Station>>;
}

/** Who is asking. */
export interface Caller {
  account_id: string;
  key_id: string;
}
