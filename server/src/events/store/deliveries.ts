// Deliveries: one row for each event and address. The rows are the outbox first, and the log later.
import type { DeliveryState, EventType } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import {
  type Expiring,
  equal,
  expiring,
  is,
  json,
  type ListPage,
  orNull,
  query,
  reader,
  type Runner,
  scanPage,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { LoggedAttempt } from '../core/attempt.ts';

const isAttempts = is.listOf(
  is.shape<LoggedAttempt>({
    number: is.number,
    at: is.number,
    ms: is.number,
    status: is.nullOr(is.number),
    error: is.nullOr(is.text),
    text: is.nullOr(is.text),
  }),
) as (value: unknown) => value is LoggedAttempt[];

const all = table(
  'deliveries',
  {
    id: text,
    event_id: text,
    event: textOf<EventType>(),
    subject: text,
    account_id: orNull(text),
    webhook_id: orNull(text),
    url: text,
    target: text,
    lane: text,
    created_at: whole,
    due_at: orNull(whole),
    state: textOf<DeliveryState>(),
    attempts: whole,
    last_status: orNull(whole),
    last_error: orNull(text),
    first_attempt_at: orNull(whole),
    last_attempt_at: orNull(whole),
    finished_at: orNull(whole),
    /** The data of the event as JSON. Null for a job, which is read when it is sent. */
    payload: orNull(text),
    place: whole,
    attempt_log: orNull(json(isAttempts)),
  },
  'delivery',
);
const deliveries = all.omit('payload', 'place', 'attempt_log');
const payloads = all.pick('payload');
const logs = all.pick('id', 'attempt_log');
const added = all.omit(
  'state',
  'attempts',
  'last_status',
  'last_error',
  'first_attempt_at',
  'last_attempt_at',
  'finished_at',
  'attempt_log',
);

export type NewDelivery = Omit<ReturnType<typeof added.read>, 'place'>;
export type DeliveryRow = ReturnType<typeof deliveries.read>;
export const { columns: deliveryColumns, read: readDelivery } = deliveries;

const insertRows = added.insert({
  values: {
    state: `'pending'`,
    attempts: '0',
    place: `place + (select coalesce(max(deliveries.place), 0) from deliveries
      where deliveries.lane = v.lane and deliveries.state = 'pending')`,
  },
});

/** Places each row after the pending ones of its lane, and after those before it in the list. */
export async function insertDeliveries(on: Runner, rows: readonly NewDelivery[]): Promise<void> {
  const places = new Map<string, number>();
  const placed = rows.map((row) => {
    const place = (places.get(row.lane) ?? 0) + 1;
    places.set(row.lane, place);
    return { ...row, place };
  });
  await insertRows(on, placed);
}

export const findDelivery = deliveries.by('id');

/** The data of the event as JSON. Null for a job. */
export async function findPayload(on: Runner, id: string): Promise<string | null> {
  return (await payloads.find(on, 'where id = $1', [id]))?.payload ?? null;
}

/** Oldest first. Empty for a delivery of an older version. */
export async function findAttempts(on: Runner, id: string): Promise<LoggedAttempt[]> {
  return (await logs.find(on, 'where id = $1', [id]))?.attempt_log ?? [];
}

interface DeliveryFilter {
  account_id?: string | undefined;
  webhook_id?: string | undefined;
  event?: string | undefined;
  state?: string | undefined;
  subject?: string | undefined;
}

export function listDeliveries(on: Runner, page: DeliveryFilter & ListPage) {
  const { account_id, webhook_id, event, state, subject } = page;
  // Both have an index. An endpoint belongs to one account.
  const [first, second] =
    webhook_id === undefined ? [{ account_id }, { webhook_id }] : [{ webhook_id }, { account_id }];
  const indexed = equal(first);
  const others = equal({ ...second, event, state, subject });
  return scanPage(on, { ...deliveries, indexed, others }, page);
}

/** Makes the delivery due now, and restarts its retry period. */
export async function restartDelivery(
  on: Runner,
  id: string,
  url: string,
  now: number,
): Promise<void> {
  await on.run(
    `update deliveries set state = 'pending', url = $2, due_at = $3, first_attempt_at = null,
       finished_at = null where id = $1`,
    [id, url, now],
  );
}

/** Applies a change of its endpoint to pending deliveries. */
export async function moveDeliveries(
  on: Runner,
  webhookId: string,
  { url, paused, now }: { url: string; paused: boolean; now: number },
): Promise<void> {
  await on.run(
    `update deliveries set url = $2,
       due_at = case when $3 = 1 then null else coalesce(due_at, $4) end
     where webhook_id = $1 and state = 'pending'`,
    [webhookId, url, paused ? 1 : 0, now],
  );
}

export async function giveUpDeliveries(
  on: Runner,
  webhookId: string,
  reason: string,
  now: number,
): Promise<void> {
  await on.run(
    `update deliveries set state = 'failed', due_at = null, last_error = $2, finished_at = $3
     where webhook_id = $1 and state = 'pending'`,
    [webhookId, reason, now],
  );
}

/** Includes deliveries that were never sent, because an endpoint may stay paused forever. */
export const eventExpiry: readonly Expiring[] = [
  expiring({
    keptMs: ({ webhook_log_days }) => webhook_log_days * dayMs,
    table: 'deliveries',
    key: 'id',
  }),
];

const readPending = reader({ count: whole, oldest_at: whole });

export type PendingCount = ReturnType<typeof readPending>;

/** At most this many are counted. */
const maxCounted = 100_000;

export async function countPending(on: Runner, max = maxCounted): Promise<PendingCount> {
  const [row = {}] = await on.run(
    `select count(*) as count, min(created_at) as oldest_at from (
       select created_at from deliveries where state = 'pending'
       order by created_at limit ${max}) as pending`,
  );
  return readPending(row);
}

export function countPendingIn(on: Runner, lane: string): Promise<number> {
  const count = `select count(*) from deliveries where lane = $1 and state = 'pending'`;
  return query.number(on, count, [lane]);
}
