// Writes an event into the outbox, inside the transaction that causes it: either both are
// committed, or neither.
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/database.ts';
import { targetsOf } from './core/targets.ts';
import type { NewEvent } from './core/targets.ts';
import { insertDelivery } from './store/deliveries.ts';
import { lockEndpoints } from './store/webhooks.ts';

/** Without an endpoint or an address it costs one look-up, and writes nothing. */
export async function writeEvent(tx: Runner, event: NewEvent): Promise<void> {
  const targets = targetsOf(event, await lockEndpoints(tx, event.account_id));
  const { type, account_id, subject, data, at } = event;
  const eventId = newId('msg');
  const payload = data === undefined ? null : JSON.stringify(data);
  for (const target of targets) {
    await insertDelivery(tx, {
      ...target,
      id: newId('dlv'),
      event_id: eventId,
      event: type,
      subject,
      payload,
      account_id,
      created_at: at,
    });
  }
}
