// Writes an event to the outbox, in the transaction that causes it: either both are committed, or
// neither is.
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/index.ts';
import { targetsOf } from './core/targets.ts';
import type { NewEvent } from './core/targets.ts';
import { insertDeliveries } from './store/deliveries.ts';
import { lockEndpoints } from './store/webhooks.ts';

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
