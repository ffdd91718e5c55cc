// Which addresses an event is sent to, and in which order with others.
import type { EventType, SubscribableEvent } from '@trivium/contract';

/** An event as the transaction that causes it writes it. */
export interface NewEvent {
  type: EventType;
  /** Null for an event of the gateway itself. */
  account_id: string | null;
  /** The job, key, account or provider; events about the same one are delivered in order. */
  subject: string;
  /** Undefined for a job, which is read when it is sent. */
  data?: object;
  at: number;
  /** An address that receives it besides the endpoints: that of the request. */
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
  /** Deliveries to the same target share its limit of concurrent ones. */
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
