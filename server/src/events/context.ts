// The part of the application context that events need.
import type { EventType } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PostWebhook } from './post-webhook.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';

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
  /** Wakes the worker because a delivery is due. */
  nudge: () => void;
}
