// Delivers events: the worker chooses what to claim, so that slow receivers leave room for the
// others; an attempt builds the body, signs it, sends it, and stores the result.
import { GatewayError, version } from '@trivium/contract';
import { signWebhook } from '../platform/ids.ts';
import { deliveryAttemptMs, deliveryLeaseMs } from '../platform/time-limits.ts';
import {
  type Answer,
  type AttemptResult,
  attemptsMade,
  type LoggedAttempt,
  nextAttemptAt,
  resultOf,
  withAttempt,
} from './core/attempt.ts';
import type { EventsContext } from './context.ts';
import { signingSecrets } from './secrets.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  dropDeliveryLeases,
  findNextDelivery,
  pauseIfLost,
  postponeDelivery,
  putResult,
  returnDeliveries,
} from './store/delivery-leases.ts';
import { findAttempts, moveDeliveries } from './store/deliveries.ts';
import { lockWebhook, updateWebhooks } from './store/webhooks.ts';
import { startLeaseWorker } from '../platform/lease-worker.ts';
import { type ByteBudget, type ByteHold, takeRoom } from '../platform/byte-budget.ts';
import { iso } from '../store/index.ts';

export async function deliver(context: EventsContext, delivery: ClaimedDelivery): Promise<void> {
  const { clock } = context;
  const began = clock.ticks();
  const lease = { id: delivery.id, owner: context.owner };
  const logged = await findAttempts(context.database, delivery.id);
  const made = attemptsMade(delivery, logged);
  if (!(await mayTry(context, delivery, made.lost, logged))) return;
  const answer = await attempt(context, delivery).catch(asNoRoom);
  const now = clock.now().getTime();
  if (answer === 'no_room') {
    await postponeDelivery(context.database, lease, now + noRoomPauseMs);
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
  const isStored = await putResult(context.database, lease, result, attempts, now);
  // Another worker holds the delivery by now, and stores its own result.
  if (!isStored) return;
  const outcome = result.state === 'pending' ? 'retried' : result.state;
  context.attempted(delivery.event, outcome, clock.ticks() - began);
  if (answer !== undefined) {
    const { state, last_status: status } = result;
    const reason = status === null ? 'no answer' : `status ${status}`;
    context.results?.attempt({
      ...delivery,
      ...(state === 'delivered' ? {} : { reason }),
      ...{ isFirst: made.number === 1, isFinal: state === 'failed' },
    });
  }
  if (result.gone) await pause(context, delivery, now);
}

/** How many attempts in a row may be lost with their process before pauses follow. */
const freeLosses = 3;

/**
 * A delivery that may be what ends the process waits longer each time, and fails in the end. The
 * pause is stored before the attempt, because the process may not survive it. False if it failed.
 */
async function mayTry(
  { database, owner, clock, random, attempted }: EventsContext,
  delivery: ClaimedDelivery,
  lost: number,
  logged: readonly LoggedAttempt[],
): Promise<boolean> {
  if (lost < freeLosses) return true;
  const lease = { id: delivery.id, owner };
  const now = clock.now().getTime();
  const losses = { ...delivery, attempts: lost - freeLosses + 1 };
  const dueAt = nextAttemptAt(losses, now, random());
  if (dueAt !== undefined) {
    await pauseIfLost(database, lease, dueAt);
    return true;
  }
  const error = `The gateway stopped during each of the last ${lost} attempts.`;
  const failed: AttemptResult = { ...undeliverable, last_error: error };
  if (await putResult(database, lease, failed, logged, now)) {
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

/** Undefined if there is nothing left to send. */
async function attempt(
  context: EventsContext,
  delivery: ClaimedDelivery,
): Promise<Answer | undefined> {
  const { database, clock, secret } = context;
  const secrets = await signingSecrets(database, secret, delivery, clock.now().getTime());
  const body = secrets.length === 0 ? undefined : await context.openBody(delivery);
  if (!body) return undefined;
  try {
    return await sendSigned(context, delivery, secrets, body.blob);
  } finally {
    body.close();
  }
}

async function sendSigned(
  { clock, settings, post }: EventsContext,
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

/** For a long event without memory for it. This does not count as an attempt. */
const noRoomPauseMs = 2000;

function asNoRoom(error: unknown): 'no_room' {
  if (error instanceof GatewayError) return 'no_room';
  throw error;
}

/**
 * The receiver said that the address is gone, so its events are kept until a person resumes it. The
 * endpoint may have another address by now.
 */
async function pause(
  { database }: EventsContext,
  { webhook_id: id, url }: ClaimedDelivery,
  now: number,
): Promise<void> {
  if (id === null) return;
  await database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, id);
    if (!webhook || webhook.paused || webhook.url !== url) return;
    await updateWebhooks(tx, [{ ...webhook, paused: true, updated_at: now }]);
    await moveDeliveries(tx, id, { url, paused: true, now });
  });
}

/** A slow receiver occupies only a few slots, and so do all receivers of one account. */
const atOncePerTarget = 8;
const atOncePerAccount = 64;
/** How many deliveries one account gets in one claim, so that accounts take turns. */
const perAccount = 8;

export function startDeliveryWorker(context: EventsContext) {
  const { clock, database, log, owner } = context;
  return startLeaseWorker<ClaimedDelivery>({
    name: 'deliveries',
    clock,
    log,
    atOnce: 256,
    maxIdleMs: 1000,
    dropLeases: database.engine === 'sqlite' ? () => dropDeliveryLeases(database) : undefined,
    findNextDue: () => findNextDelivery(database),
    claim: async (free, held) => {
      const rows = await claimDue(context, free, held);
      return { rows, hasMore: rows.length > 0 };
    },
    run: (delivery) => deliver(context, delivery),
    // The next delivery of the same lane may be sent.
    wakesAtEnd: true,
    returnLeases: () => returnDeliveries(database, owner),
  });
}

/**
 * Receivers that do not answer must not take the slots of others: accounts without a delivery in
 * progress come first, and half of the slots stay free for them.
 */
async function claimDue(
  { database, clock, owner }: EventsContext,
  free: number,
  held: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const accountOf = ({ account_id }: ClaimedDelivery) => account_id ?? '';
  const busyTargets = atLimit(held, ({ target }) => target, atOncePerTarget);
  const claimFor = (busyAccounts: readonly string[], share: number, limit: number) => {
    const now = clock.now().getTime();
    return claimDeliveries(database, {
      owner,
      now,
      lease_until: now + deliveryLeaseMs,
      limit,
      perTarget: atOncePerTarget,
      perAccount: share,
      busy: [...busyTargets, ...busyAccounts],
    });
  };
  const first = await claimFor(atLimit(held, accountOf, 1), 1, free);
  const more = Math.floor(free / 2);
  if (first.length > 0 || held.length === 0 || more === 0) return first;
  return claimFor(atLimit(held, accountOf, Math.min(atOncePerAccount, free)), perAccount, more);
}

/** The names that occur at least this often. */
function atLimit(
  held: readonly ClaimedDelivery[],
  nameOf: (one: ClaimedDelivery) => string,
  limit: number,
): string[] {
  const groups = [...Map.groupBy(held, nameOf)];
  return groups.flatMap(([name, own]) => (own.length >= limit ? name : []));
}

/** Reads the text of a job in parts. `admit` gets the length of each before the next is read. */
type ReadJob = (id: string, admit: (chars: number) => void) => Promise<string[] | undefined>;

export function makeEventBodies(readJob: ReadJob, bytes?: ByteBudget): EventsContext['openBody'] {
  const known = new Map<
    string,
    { blob: Promise<Blob | undefined>; room: ByteHold | undefined; users: number }
  >();
  return async (delivery) => {
    const { event_id: id } = delivery;
    const one = known.getOrInsertComputed(id, () => {
      const room = bytes?.open(delivery.account_id ?? '');
      return { blob: blobOf(delivery, readJob, room), users: 0, room };
    });
    one.users += 1;
    const close = () => {
      one.users -= 1;
      if (one.users > 0) return;
      one.room?.close();
      if (known.get(id) === one) known.delete(id);
    };
    const blob = await one.blob.catch((error: unknown) => {
      close();
      throw error;
    });
    if (blob) return { blob, close };
    close();
    return undefined;
  };
}

async function blobOf(
  { event, created_at, subject, payload }: ClaimedDelivery,
  readJob: ReadJob,
  room: ByteHold | undefined,
): Promise<Blob | undefined> {
  const head = JSON.stringify({ type: event, timestamp: iso(created_at) });
  const data =
    payload === null ? await readJob(subject, (chars) => takeRoom(room, chars)) : [payload];
  return data && new Blob([`${head.slice(0, -1)},"data":`, ...data, '}']);
}
