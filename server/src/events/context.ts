// The part of the application context that events need.
import type { EventType } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PostWebhook } from './post-webhook.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { DeliveryRow } from './store/deliveries.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';

/** The receiver of a delivery: an endpoint, or an address in a request. */
export type Receiver = Pick<DeliveryRow, 'account_id' | 'webhook_id' | 'url'>;

export interface DeliveryNotes {
  /** `reason` says why it was not delivered. */
  attempt: (of: Receiver & { reason?: string; isFirst: boolean; isFinal: boolean }) => void;
  removed: (endpoint: Receiver) => void;
}

export interface EventsContext {
  database: Database;
  clock: Clock;
  log: Log;
  /** Signing secrets are derived from it. */
  secret: string;
  /** Names this process in leases and reports. */
  owner: string;
  /** A random number from 0 to 1. */
  random: () => number;
  settings: Pick<Settings, 'allow_private_webhooks'>;
  post: PostWebhook;
  /** Undefined if the subject was deleted. Throws while there is no room for the body. */
  openBody: (delivery: ClaimedDelivery) => Promise<{ blob: Blob; close: () => void } | undefined>;
  /** Counts the attempts. */
  attempted: (event: EventType, outcome: 'delivered' | 'retried' | 'failed', ms: number) => void;
  /** Follows which receivers fail. Absent if incidents are not followed. */
  results?: DeliveryNotes;
  /** Wakes the worker because a delivery is due. */
  nudge: () => void;
}
