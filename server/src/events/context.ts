// The part of the application context that events need.
import type { EventType } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PostWebhook } from './post-webhook.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { EventBodies } from './event-bodies.ts';

/** What managing endpoints and deliveries needs. */
export interface WebhookContext {
  database: Database;
  clock: Clock;
  /** Signing secrets are derived from it. */
  secret: string;
  /** Wakes the worker because a delivery is due. */
  nudge: () => void;
}

export type DeliveryOutcome = 'delivered' | 'retried' | 'failed';

/** What sending deliveries needs. */
export interface DeliveryContext {
  database: Database;
  clock: Clock;
  log: Log;
  secret: string;
  /** Names this process in leases. */
  owner: string;
  /** A random number from 0 to 1. */
  random: () => number;
  settings: Pick<Settings, 'allow_private_webhooks'>;
  post: PostWebhook;
  bodies: EventBodies;
  /** Counts the attempts. */
  attempted: (event: EventType, outcome: DeliveryOutcome, ms: number) => void;
}
