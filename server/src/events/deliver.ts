// One attempt to deliver an event: builds the body, signs it, sends it, and stores the result.
import { GatewayError, version } from '@trivium/contract';
import { signWebhook } from '../platform/signatures.ts';
import { deliveryAttemptMs } from '../platform/time-limits.ts';
import { attemptsMade, resultOf, withAttempt } from './core/attempt.ts';
import type { Answer, AttemptResult, LoggedAttempt } from './core/attempt.ts';
import type { DeliveryContext, DeliveryOutcome } from './context.ts';
import { nextAttemptAt } from './core/retry-plan.ts';
import { signingSecrets } from './secrets.ts';
import { pauseIfLost, postponeDelivery, putResult } from './store/delivery-leases.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';
import { findAttempts, moveDeliveries } from './store/deliveries.ts';
import { lockWebhook, updateWebhook } from './store/webhooks.ts';

export async function deliver(context: DeliveryContext, delivery: ClaimedDelivery): Promise<void> {
  const { clock } = context;
  const began = clock.ticks();
  const logged = await findAttempts(context.database, delivery.id);
  const made = attemptsMade(delivery, logged);
  if (!(await mayTry(context, delivery, made.lost, logged))) return;
  const answer = await attempt(context, delivery).catch(asNoRoom);
  const now = clock.now().getTime();
  if (answer === 'no_room') {
    await postponeDelivery(context.database, delivery.id, context.owner, now + noRoomPauseMs);
    return;
  }
  const result =
    answer === undefined
      ? undeliverable
      : resultOf({ ...delivery, attempts: made.inPeriod }, answer, now, context.random());
  const attempts = withAttempt(logged, {
    number: made.number,
    at: delivery.last_attempt_at ?? now,
    ms: Math.round(clock.ticks() - began),
    status: result.last_status,
    error: result.last_error,
    text: (answer && 'text' in answer ? answer.text : undefined) ?? null,
  });
  const isStored = await putResult(
    context.database,
    delivery.id,
    context.owner,
    result,
    attempts,
    now,
  );
  // Another worker holds the delivery by now, and stores its own result.
  if (!isStored) return;
  context.attempted(delivery.event, outcomeOf(result), clock.ticks() - began);
  if (result.gone && delivery.webhook_id !== null) await pause(context, delivery.webhook_id, now);
}

/** How many attempts in a row may be lost with their process before pauses follow. */
const freeLosses = 3;

/**
 * A delivery that may be what ends the process waits longer each time, and fails in the end. The
 * pause is stored before the attempt, because the process may not survive it. False if it failed.
 */
async function mayTry(
  { database, owner, clock, random, attempted }: DeliveryContext,
  delivery: ClaimedDelivery,
  lost: number,
  logged: readonly LoggedAttempt[],
): Promise<boolean> {
  if (lost < freeLosses) return true;
  const now = clock.now().getTime();
  const losses = { ...delivery, attempts: lost - freeLosses + 1 };
  const dueAt = nextAttemptAt(losses, now, random());
  if (dueAt !== undefined) {
    await pauseIfLost(database, delivery.id, owner, dueAt);
    return true;
  }
  const error = `The gateway stopped during each of the last ${lost} attempts.`;
  const failed: AttemptResult = { ...undeliverable, last_error: error };
  if (await putResult(database, delivery.id, owner, failed, logged, now)) {
    attempted(delivery.event, 'failed', 0);
  }
  return false;
}

const undeliverable: AttemptResult = {
  state: 'failed',
  due_at: null,
  last_status: null,
  last_error: 'The subject of the event was deleted before the event could be delivered.',
  gone: false,
};

function outcomeOf({ state }: AttemptResult): DeliveryOutcome {
  return state === 'pending' ? 'retried' : state;
}

/** Undefined if there is nothing left to send. */
async function attempt(
  context: DeliveryContext,
  delivery: ClaimedDelivery,
): Promise<Answer | undefined> {
  const { database, clock, secret } = context;
  const secrets = await signingSecrets(database, secret, delivery, clock.now().getTime());
  const body = secrets.length === 0 ? undefined : await context.bodies.open(delivery);
  if (!body) return undefined;
  try {
    return await sendSigned(context, delivery, secrets, body.blob);
  } finally {
    body.close();
  }
}

async function sendSigned(
  { clock, settings, post }: DeliveryContext,
  { url, event_id: id }: ClaimedDelivery,
  secrets: readonly string[],
  body: Blob,
): Promise<Answer> {
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const signatures: string[] = [];
  for (const one of secrets) signatures.push(await signWebhook(one, { id, seconds, body }));
  return post({
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': `Trivium/${version}`,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures.join(' '),
    },
    body,
    limitMs: deliveryAttemptMs,
    allowPrivate: settings.allow_private_webhooks,
  });
}

/**
 * If there is no memory for a long event now, it is sent a little later. This does not count as an
 * attempt.
 */
const noRoomPauseMs = 2000;

function asNoRoom(error: unknown): 'no_room' {
  if (error instanceof GatewayError) return 'no_room';
  throw error;
}

/** The receiver said that the address is gone, so its events are kept until a person resumes it. */
async function pause(context: DeliveryContext, webhookId: string, now: number): Promise<void> {
  await context.database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, webhookId);
    if (!webhook || webhook.paused) return;
    await updateWebhook(tx, { ...webhook, paused: true, updated_at: now });
    await moveDeliveries(tx, webhookId, { url: webhook.url, paused: true, now });
  });
}
