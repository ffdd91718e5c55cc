// One attempt to deliver: builds the body, signs it, sends it, and stores the result.
import { Webhook } from 'standardwebhooks';
import { version } from '@trivium/contract';
import { iso } from '../store/paging.ts';
import { resultOf } from './core/attempt.ts';
import type { Answer, AttemptResult } from './core/attempt.ts';
import type { DeliveryContext, DeliveryOutcome } from './context.ts';
import { signingSecrets } from './secrets.ts';
import { putResult } from './store/delivery-leases.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';
import { moveDeliveries } from './store/deliveries.ts';
import { lockWebhook, updateWebhook } from './store/webhooks.ts';

/** For connecting, sending and the status line of the answer. A lease is longer. */
export const attemptLimitMs = 10_000;

export async function deliver(context: DeliveryContext, delivery: ClaimedDelivery): Promise<void> {
  const { clock } = context;
  const began = clock.ticks();
  const answer = await attempt(context, delivery);
  const now = clock.now().getTime();
  const result =
    answer === undefined ? undeliverable : resultOf(delivery, answer, now, context.random());
  const isStored = await putResult(context.database, delivery.id, context.owner, result, now);
  // Another worker holds it by now, and stores its own result.
  if (!isStored) return;
  context.attempted(delivery.event, outcomeOf(result), clock.ticks() - began);
  if (result.gone && delivery.webhook_id !== null) await pause(context, delivery.webhook_id, now);
}

const undeliverable: AttemptResult = {
  state: 'failed',
  due_at: null,
  last_status: null,
  last_error: 'What it is about was deleted before it could be delivered.',
  gone: false,
};

function outcomeOf({ state }: AttemptResult): DeliveryOutcome {
  return state === 'pending' ? 'retried' : state;
}

/** Undefined when there is nothing left to send. */
async function attempt(
  context: DeliveryContext,
  delivery: ClaimedDelivery,
): Promise<Answer | undefined> {
  const { database, clock, secret, settings } = context;
  const data = delivery.payload ?? (await context.readJob(delivery.subject));
  const secrets = await signingSecrets(database, secret, delivery, clock.now().getTime());
  if (data === undefined || secrets.length === 0) return undefined;
  const head = JSON.stringify({ type: delivery.event, timestamp: iso(delivery.created_at) });
  const body = `${head.slice(0, -1)},"data":${data}}`;
  const now = clock.now();
  const signatures = secrets.map((one) => new Webhook(one).sign(delivery.event_id, now, body));
  return context.post({
    url: delivery.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': `Trivium/${version}`,
      'webhook-id': delivery.event_id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
    limitMs: attemptLimitMs,
    allowPrivate: settings.allow_private_webhooks,
  });
}

/** The receiver said that the address is gone: its events are kept until a person resumes it. */
async function pause(context: DeliveryContext, webhookId: string, now: number): Promise<void> {
  await context.database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId);
    if (!webhook || webhook.paused) return;
    await updateWebhook(tx, { ...webhook, paused: true, updated_at: now });
    await moveDeliveries(tx, webhookId, { url: webhook.url, paused: true, now });
  });
}
