// Decides which addresses an event is sent to, and in which order relative to others.
import type { EventType, SubscribableEvent } from '@trivium/contract';

/** An event as written by the transaction that causes it. */
export interface NewEvent {
  type: EventType;
  /** Null for an event of the gateway itself. */
  account_id: string | null;
  /** The job, key, account or provider. Events about the same subject are delivered in order. */
  subject: string;
  /** Undefined for a job, which is read when the event is sent. */
  data?: object;
  at: number;
  /** The address in the request, which receives the event in addition to the endpoints. */
  url?: string;
}

export interface Endpoint {
  id: string;
  account_id: string | null;
  url: string;
  events: readonly SubscribableEvent[];
  paused: boolean;
}

interface Target {
  webhook_id: string | null;
  url: string;
  /** Deliveries to the same target share its concurrency limit. */
  target: string;
  /** Deliveries in the same lane are sent one after the other. */
  lane: string;
  /** Null while the endpoint is paused. */
  due_at: number | null;
}

export function targetsOf(event: NewEvent, endpoints: readonly Endpoint[]): Target[] {
  const { subject, at, url } = event;
  const subscribed = endpoints.filter(({ events }) =>
    (events as readonly EventType[]).includes(event.type),
  );
  const targets = subscribed.map((endpoint) => ({
    ...targetOf(endpoint, subject),
    due_at: endpoint.paused ? null : at,
  }));
  if (url === undefined) return targets;
  const target = `${event.account_id} ${new URL(url).host}`;
  return [...targets, { webhook_id: null, url, target, lane: `request ${subject}`, due_at: at }];
}

export function targetOf(
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  subject: string,
): Omit<Target, 'due_at'> {
  return { webhook_id: id, url, target: id, lane: `${id} ${subject}` };
}
