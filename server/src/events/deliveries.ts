// The log of deliveries, and sending a delivery again.
import {
  conflict,
  DeliveryDetail,
  GatewayError,
  type DeliveryList,
  type DeliveryQuery,
  type WebhookDelivery,
} from '@trivium/contract';
import { audit, type Author, checkHourly } from '../audit/index.ts';
import {
  type DeliveryRow,
  findAttempts,
  findDelivery,
  findPayload,
  listDeliveries,
  restartDelivery,
} from './store/deliveries.ts';
import { type Database, iso, readJson } from '../store/index.ts';
import type { EventsContext } from './context.ts';
import { lockWebhook } from './store/webhooks.ts';

export async function readDeliveries(
  { database }: Pick<EventsContext, 'database'>,
  query: DeliveryQuery,
): Promise<DeliveryList> {
  const found = await listDeliveries(database.reader, query);
  return { deliveries: found.rows.map(showDelivery), ...found.end };
}

const Payload = DeliveryDetail.shape.payload;

export async function readDelivery(
  { database }: Pick<EventsContext, 'database'>,
  id: string,
): Promise<DeliveryDetail> {
  const row = await findDelivery(database.reader, id);
  if (!row) throw noDelivery(id);
  const payload = await findPayload(database.reader, id);
  const attempts = await findAttempts(database.reader, id);
  return {
    ...showDelivery(row),
    attempt_details: attempts.map(({ number, at, ms, status, error, text }) => ({
      number,
      at: iso(at),
      duration_ms: ms,
      status,
      error,
      response_body: text,
    })),
    payload:
      payload === null
        ? null
        : readJson('the payload of a delivery', (value) => Payload.parse(value), payload),
  };
}

/** Undefined if there is no such delivery. Null for an event of the gateway itself. */
export async function accountOfDelivery({ database }: { database: Database }, id: string) {
  return (await findDelivery(database, id))?.account_id;
}

/** To the current address, with the same webhook-id. The caller wakes the worker afterwards. */
export async function redeliver(
  context: EventsContext,
  by: Author,
  id: string,
): Promise<WebhookDelivery> {
  const now = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    const found = await findDelivery(tx, id);
    if (!found) throw noDelivery(id);
    const { webhook_id } = found;
    const webhook = webhook_id === null ? undefined : await lockWebhook(tx, webhook_id);
    if (webhook_id !== null && !webhook)
      throw conflict('The endpoint of this delivery was deleted.');
    if (webhook?.paused) throw conflict(paused);
    await checkHourly(tx, 'webhook.redelivered', found.account_id, now);
    await restartDelivery(tx, id, webhook?.url ?? found.url, now);
    const { account_id, event_id } = found;
    const change = { action: 'webhook.redelivered', account_id, target: id } as const;
    await audit(tx, by, { ...change, after: { webhook_id, event_id } }, now);
    return findDelivery(tx, id);
  });
  if (!row) throw noDelivery(id);
  return showDelivery(row);
}

export function showDelivery(row: DeliveryRow): WebhookDelivery {
  const { target: _target, lane: _lane, first_attempt_at: _first, due_at, ...shown } = row;
  return {
    ...shown,
    created_at: iso(row.created_at),
    last_attempt_at: iso(row.last_attempt_at),
    next_attempt_at: iso(due_at),
    finished_at: iso(row.finished_at),
  };
}

export function noDelivery(id: string): GatewayError {
  return new GatewayError('not_found', `There is no delivery ${id}.`);
}

const paused =
  'The endpoint of this delivery is paused. Resume it first; deliveries that are pending are then ' +
  'sent on their own.';
