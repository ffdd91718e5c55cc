// Writes an event to the outbox, in the transaction that causes it: either both are committed, or
// neither is.
import type { EventType } from '@trivium/contract';
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/index.ts';
import { insertDeliveries } from './store/deliveries.ts';
import { lockEndpoints, type WebhookRow } from './store/webhooks.ts';

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

export function writeEvent(tx: Runner, event: NewEvent): Promise<void> {
  return writeEvents(tx, [event]);
}

/** Without an endpoint or an address, this costs one look-up and writes nothing. */
export async function writeEvents(tx: Runner, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const accountIds = new Set(events.map(({ account_id }) => account_id));
  const endpoints = await lockEndpoints(tx, [...accountIds]);
  const deliveries = events.flatMap((event) => {
    const { type, account_id, subject, data, at } = event;
    const eventId = newId('msg');
    const payload = data === undefined ? null : JSON.stringify(data);
    const own = endpoints.filter((endpoint) => endpoint.account_id === account_id);
    return targetsOf(event, own).map((target) => ({
      ...target,
      id: newId('dlv'),
      event_id: eventId,
      event: type,
      subject,
      payload,
      account_id,
      created_at: at,
    }));
  });
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries);
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

function targetsOf(event: NewEvent, endpoints: readonly WebhookRow[]): Target[] {
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
  { id, url }: Pick<WebhookRow, 'id' | 'url'>,
  subject: string,
): Omit<Target, 'due_at'> {
  return { webhook_id: id, url, target: id, lane: `${id} ${subject}` };
}
