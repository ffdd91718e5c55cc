// Endpoints that receive events: create, list, change, pause, rotate the secret, and test.
import { audit, type AuditedChange, type Author, checkHourly } from '../audit/index.ts';
import { hourMs } from '@trivium/contract/durations';
import {
  accountEvents,
  GatewayError,
  gatewayEvents,
  invalidPart,
  testEvent,
  tryLater,
  type AuditAction,
  type NewWebhook,
  type SecretRotation,
  type SubscribableEvent,
  type Webhook,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookList,
  type WebhookQuery,
  type WebhookRequest,
} from '@trivium/contract';
import { newId } from '../platform/ids.ts';
import { type Database, iso, type Runner } from '../store/index.ts';
import type { EventsContext } from './context.ts';
import { targetOf } from './write-event.ts';
import { noAccount, secretOf } from './secrets.ts';
import { showDelivery } from './deliveries.ts';
import {
  countPendingIn,
  findDelivery,
  giveUpDeliveries,
  insertDeliveries,
  moveDeliveries,
  type NewDelivery,
} from './store/deliveries.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  hasAccount,
  insertWebhooks,
  listWebhooks,
  lockWebhook,
  updateWebhooks,
  type WebhookRow,
} from './store/webhooks.ts';

/** For each account, and for the gateway itself. */
const maxWebhooks = 20;

/** `accountId` is undefined for an endpoint of the gateway itself. */
export async function createWebhook(
  context: EventsContext,
  by: Author,
  accountId: string | undefined,
  { url, events, description }: WebhookRequest,
): Promise<NewWebhook> {
  const owner = accountId ?? null;
  checkEvents(owner, events);
  const now = context.clock.now().getTime();
  const row: WebhookRow = {
    id: newId('wh'),
    account_id: owner,
    url,
    events,
    description,
    paused: false,
    secret_version: 1,
    old_secret_until: null,
    created_at: now,
    updated_at: now,
  };
  await context.database.transaction(async (tx) => {
    if (owner !== null && !(await hasAccount(tx, owner))) throw noAccount(owner);
    if ((await countWebhooks(tx, owner)) >= maxWebhooks) {
      const message = `There are ${maxWebhooks} endpoints already. Delete one first.`;
      throw invalidPart('', 'too_many', message);
    }
    await insertWebhooks(tx, [row]);
    await note(tx, by, 'webhook.created', undefined, row);
  });
  return withSecret(context, row);
}

export async function readWebhooks(
  { database }: Pick<EventsContext, 'database'>,
  query: WebhookQuery,
): Promise<WebhookList> {
  const listed = await listWebhooks(database.reader, query);
  return { webhooks: listed.rows.map(showWebhook), next_cursor: listed.end.next_cursor };
}

export async function readWebhook({ database }: { database: Database }, id: string) {
  const row = await findWebhook(database, id);
  if (!row) throw noWebhook(id);
  return showWebhook(row);
}

/** Undefined if there is no such endpoint. Null for an endpoint of the gateway itself. */
export async function accountOfWebhook({ database }: { database: Database }, id: string) {
  return (await findWebhook(database, id))?.account_id;
}

/** Changes only the given fields. The change also applies to pending deliveries. */
export async function changeWebhook(
  context: EventsContext,
  by: Author,
  id: string,
  { url, events, description, paused }: WebhookChange,
): Promise<Webhook> {
  const row = await change(context, id, 'webhook.changed', by, async (before, tx, now) => {
    const after: WebhookRow = {
      ...before,
      url: url ?? before.url,
      events: events ?? before.events,
      description: description ?? before.description,
      paused: paused ?? before.paused,
    };
    checkEvents(after.account_id, after.events);
    await moveDeliveries(tx, id, { url: after.url, paused: after.paused, now });
    return after;
  });
  context.nudge();
  return showWebhook(row);
}

export async function rotateWebhookSecret(
  context: EventsContext,
  by: Author,
  id: string,
  { overlap_hours }: SecretRotation,
): Promise<NewWebhook> {
  const row = await change(context, id, 'webhook.rotated', by, (before, _tx, now) =>
    Promise.resolve({
      ...before,
      secret_version: before.secret_version + 1,
      old_secret_until: now + overlap_hours * hourMs,
    }),
  );
  return withSecret(context, row);
}

export async function removeWebhook(
  context: EventsContext,
  by: Author,
  id: string,
): Promise<{ id: string }> {
  const now = context.clock.now().getTime();
  const removed = await context.database.transaction(async (tx) => {
    const before = await lockWebhook(tx, id);
    if (!before) throw noWebhook(id);
    await deleteWebhook(tx, id);
    await giveUpDeliveries(tx, id, 'The endpoint was deleted.', now);
    await note(tx, by, 'webhook.removed', { ...before, updated_at: now }, undefined);
    return before;
  });
  context.results?.removed({ ...removed, webhook_id: id });
  return { id };
}

/** Test events must not accumulate for an endpoint that does not answer. */
const maxPendingTests = 20;

/** Also for a paused endpoint. The caller wakes the worker once the delivery is committed. */
export async function sendTestEvent(
  context: EventsContext,
  by: Author,
  id: string,
): Promise<WebhookDelivery> {
  const now = context.clock.now().getTime();
  const deliveryId = newId('dlv');
  const row = await context.database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, id);
    if (!webhook) throw noWebhook(id);
    const target = targetOf(webhook, id);
    const { account_id } = webhook;
    if ((await countPendingIn(tx, target.lane)) >= maxPendingTests) throw tooManyTests();
    await checkHourly(tx, 'webhook.tested', account_id, now);
    const delivery: NewDelivery = {
      ...target,
      id: deliveryId,
      event_id: newId('msg'),
      event: testEvent,
      subject: id,
      payload: JSON.stringify({ webhook_id: id }),
      account_id,
      created_at: now,
      due_at: now,
    };
    await insertDeliveries(tx, [delivery]);
    const tested = { action: 'webhook.tested', account_id, target: id } as const;
    await audit(tx, by, { ...tested, after: { delivery_id: deliveryId } }, now);
    return findDelivery(tx, deliveryId);
  });
  if (!row) throw noWebhook(id);
  return showDelivery(row);
}

function tooManyTests(): GatewayError {
  const message = `${maxPendingTests} test events of this endpoint have not been delivered yet.`;
  return tryLater('rate_limited', `${message} See its deliveries.`, 60);
}

async function change(
  { database, clock }: EventsContext,
  id: string,
  action: AuditAction,
  by: Author,
  make: (before: WebhookRow, tx: Runner, now: number) => Promise<WebhookRow>,
): Promise<WebhookRow> {
  const now = clock.now().getTime();
  return database.transaction(async (tx) => {
    const before = await lockWebhook(tx, id);
    if (!before) throw noWebhook(id);
    const after = { ...(await make(before, tx, now)), updated_at: now };
    await updateWebhooks(tx, [after]);
    await note(tx, by, action, before, after);
    return after;
  });
}

/** Records a change, without the time, which every change sets. */
async function note(
  tx: Runner,
  by: Author,
  action: AuditAction,
  before: WebhookRow | undefined,
  after: WebhookRow | undefined,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const auditedFields = (one: WebhookRow) => {
    const { id: _id, created_at: _created, updated_at: _updated, ...fields } = showWebhook(one);
    return { ...fields, secret_version: one.secret_version };
  };
  const change: AuditedChange = {
    action,
    account_id: row.account_id,
    target: row.id,
    ...(before ? { before: auditedFields(before) } : {}),
    ...(after ? { after: auditedFields(after) } : {}),
  };
  await audit(tx, by, change, row.updated_at);
}

/** Accounts and the gateway itself have different events. */
function checkEvents(accountId: string | null, events: readonly SubscribableEvent[]): void {
  const allowed: readonly string[] = accountId === null ? gatewayEvents : accountEvents;
  const whose = accountId === null ? 'the gateway itself' : 'an account';
  const message = `An endpoint of ${whose} receives only ${allowed.join(', ')}.`;
  const issues = events.flatMap((event, at) =>
    allowed.includes(event) ? [] : [{ path: `events.${at}`, code: 'other_scope', message }],
  );
  if (issues.length > 0) throw new GatewayError('invalid_request', message, { issues });
}

function withSecret({ secret }: EventsContext, row: WebhookRow): NewWebhook {
  return { ...showWebhook(row), secret: secretOf(secret, row.id, row.secret_version) };
}

function showWebhook({ secret_version: _version, ...row }: WebhookRow): Webhook {
  return {
    ...row,
    events: [...row.events],
    old_secret_until: iso(row.old_secret_until),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function noWebhook(id: string): GatewayError {
  return new GatewayError('not_found', `There is no endpoint ${id}.`);
}
