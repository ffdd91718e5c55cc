// Deliveries: one row for each event and address. The rows are the outbox first, and the log later.
import type { DeliveryState, EventType } from '@trivium/contract';
import {
  checked,
  deleteSteps,
  type Filter,
  isListOf,
  isNullOr,
  isNumber,
  isText,
  type ListPage,
  readJson,
  type Row,
  rowStatement,
  type Runner,
  type ScanLimits,
  type Scanned,
  scanPage,
  shapeOf,
  textOrNull,
  wholeOrNull,
} from '../../store/index.ts';
import type { LoggedAttempt } from '../core/attempt.ts';

export interface NewDelivery {
  id: string;
  event_id: string;
  event: EventType;
  subject: string;
  /** The data of the event as JSON. Null for a job, which is read when the event is sent. */
  payload: string | null;
  account_id: string | null;
  webhook_id: string | null;
  url: string;
  target: string;
  lane: string;
  created_at: number;
  due_at: number | null;
}

export interface DeliveryRow extends Omit<NewDelivery, 'payload'> {
  state: DeliveryState;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  first_attempt_at: number | null;
  last_attempt_at: number | null;
  finished_at: number | null;
}

export const deliveryColumns = [
  'id',
  'event_id',
  'event',
  'subject',
  'account_id',
  'webhook_id',
  'url',
  'target',
  'lane',
  'state',
  'attempts',
  'last_status',
  'last_error',
  'created_at',
  'first_attempt_at',
  'last_attempt_at',
  'due_at',
  'finished_at',
]
  .map((name) => `deliveries.${name}`)
  .join(', ');

const insertDeliveriesStatement = rowStatement(
  [
    ...(['text', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'text'] as const),
    ...(['bigint', 'bigint', 'bigint'] as const),
  ],
  (table) => `insert into deliveries
       (id, event_id, event, subject, payload, account_id, webhook_id, url, target, lane,
        created_at, due_at, state, attempts, place)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11, column12, 'pending', 0,
       column13 + (select coalesce(max(place), 0) from deliveries
         where lane = v.column10 and state = 'pending')
     from ${table} where column1 is not null`,
);

/**
 * Each row is placed after the pending deliveries of its lane, and after those of its lane that
 * precede it in the list.
 */
export async function insertDeliveries(on: Runner, rows: readonly NewDelivery[]): Promise<void> {
  const places = new Map<string, number>();
  const placeOf = (lane: string) => {
    const place = (places.get(lane) ?? 0) + 1;
    places.set(lane, place);
    return place;
  };
  const values = rows.map((row) => [
    row.id,
    row.event_id,
    row.event,
    row.subject,
    row.payload,
    row.account_id,
    row.webhook_id,
    row.url,
    row.target,
    row.lane,
    row.created_at,
    row.due_at,
    placeOf(row.lane),
  ]);
  await on.run(...insertDeliveriesStatement(values));
}

export async function findDelivery(on: Runner, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await on.run(`select ${deliveryColumns} from deliveries where id = $1`, [id]);
  return row && readDelivery(row);
}

/** The data of the event as JSON. Null for a job. */
export async function findPayload(on: Runner, id: string): Promise<string | null> {
  const [row] = await on.run('select payload from deliveries where id = $1', [id]);
  return textOrNull(row?.['payload'] ?? null);
}

const isAttempts = isListOf(
  shapeOf<LoggedAttempt>({
    number: isNumber,
    at: isNumber,
    ms: isNumber,
    status: isNullOr(isNumber),
    error: isNullOr(isText),
    text: isNullOr(isText),
  }),
) as (value: unknown) => value is LoggedAttempt[];

/** Oldest first. Empty for a delivery of an older version. */
export async function findAttempts(on: Runner, id: string): Promise<LoggedAttempt[]> {
  const [row] = await on.run('select attempt_log from deliveries where id = $1', [id]);
  const text = textOrNull(row?.['attempt_log'] ?? null);
  return text === null ? [] : readJson('the attempts of a delivery', checked(isAttempts), text);
}

interface DeliveryFilter {
  account_id?: string | undefined;
  webhook_id?: string | undefined;
  event?: string | undefined;
  state?: string | undefined;
  subject?: string | undefined;
}

/** Newest first. */
export function listDeliveries(
  on: Runner,
  filter: DeliveryFilter,
  page: ListPage,
  limits?: ScanLimits,
): Promise<Scanned<DeliveryRow>> {
  const ofAccount = { text: 'account_id = ?', values: [filter.account_id] };
  const ofWebhook = { text: 'webhook_id = ?', values: [filter.webhook_id] };
  // Both have an index. An endpoint belongs to one account.
  const [first, second] =
    filter.webhook_id === undefined ? [ofAccount, ofWebhook] : [ofWebhook, ofAccount];
  const others: Filter[] = [
    second,
    { text: 'event = ?', values: [filter.event] },
    { text: 'state = ?', values: [filter.state] },
    { text: 'subject = ?', values: [filter.subject] },
  ];
  const columns = deliveryColumns;
  const list = { table: 'deliveries', columns, read: readDelivery, indexed: [first], others };
  return scanPage(on, list, page, limits);
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

/** Also deletes deliveries that were never sent, because an endpoint may stay paused forever. */
export const deleteOldDeliveries = deleteSteps({
  table: 'deliveries',
  key: 'id',
  due: 'created_at < $1',
  order: 'created_at, id',
});

export interface PendingCount {
  count: number;
  oldest_at: number;
}

/** At most this many are counted. */
const maxCounted = 100_000;

export async function countPending(on: Runner, max = maxCounted): Promise<PendingCount> {
  const [row] = await on.run(
    `select count(*) as count, min(created_at) as oldest from (
       select created_at from deliveries where state = 'pending'
       order by created_at limit ${max}) as pending`,
  );
  return { count: Number(row?.['count'] ?? 0), oldest_at: Number(row?.['oldest'] ?? 0) };
}

export async function countPendingIn(on: Runner, lane: string): Promise<number> {
  const [row] = await on.run(
    `select count(*) as count from deliveries where lane = $1 and state = 'pending'`,
    [lane],
  );
  return Number(row?.['count'] ?? 0);
}

export function readDelivery(row: Row): DeliveryRow {
  const text = (name: string) => String(row[name]);
  const whole = (name: string) => Number(row[name]);
  return {
    id: text('id'),
    event_id: text('event_id'),
    event: text('event') as EventType,
    subject: text('subject'),
    account_id: textOrNull(row['account_id']),
    webhook_id: textOrNull(row['webhook_id']),
    url: text('url'),
    target: text('target'),
    lane: text('lane'),
    state: text('state') as DeliveryState,
    attempts: whole('attempts'),
    last_status: wholeOrNull(row['last_status']),
    last_error: textOrNull(row['last_error']),
    created_at: whole('created_at'),
    first_attempt_at: wholeOrNull(row['first_attempt_at']),
    last_attempt_at: wholeOrNull(row['last_attempt_at']),
    due_at: wholeOrNull(row['due_at']),
    finished_at: wholeOrNull(row['finished_at']),
  };
}
