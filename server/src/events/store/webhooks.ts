// Endpoints that receive events.
import type { SubscribableEvent } from '@trivium/contract';
import {
  checked,
  isListOf,
  isText,
  type ListPage,
  lockedIds,
  olderThan,
  readJson,
  type Row,
  type Runner,
  textOrNull,
  whereAll,
  wholeOrNull,
} from '../../store/index.ts';
import type { Endpoint } from '../core/targets.ts';

export interface WebhookRow extends Endpoint {
  description: string;
  secret_version: number;
  old_secret_until: number | null;
  created_at: number;
  updated_at: number;
}

const columns = `id, account_id, url, events, description, paused, secret_version,
  old_secret_until, created_at, updated_at`;

/**
 * The endpoints of accounts; with null, those of the gateway itself. None of them changes until the
 * end of the transaction, so that a pause or a new address applies to what is written now.
 */
export async function lockEndpoints(
  on: Runner,
  accountIds: readonly (string | null)[],
): Promise<WebhookRow[]> {
  const lock = on.lock('for share');
  const ids = accountIds.filter((id) => id !== null);
  const ofGateway = accountIds.includes(null)
    ? await on.run(`select ${columns} from webhooks where account_id is null order by id${lock}`)
    : [];
  const ofAccounts = ids.length === 0 ? [] : await on.run(...endpointsStatement(lock)(ids));
  return [...ofGateway, ...ofAccounts].map(readWebhook);
}

const endpointsStatement = lockedIds(
  (places, lock) =>
    `select ${columns} from webhooks where account_id in (${places}) order by id${lock}`,
);

export async function insertWebhook(on: Runner, row: WebhookRow): Promise<void> {
  await on.run(
    `insert into webhooks (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.id,
      row.account_id,
      row.url,
      JSON.stringify(row.events),
      row.description,
      row.paused ? 1 : 0,
      row.secret_version,
      row.old_secret_until,
      row.created_at,
      row.updated_at,
    ],
  );
}

/** Locks the account, so that two requests cannot both add the last endpoint that it may have. */
export async function hasAccount(on: Runner, id: string): Promise<boolean> {
  const rows = await on.run(`select id from accounts where id = $1${on.lock('for update')}`, [id]);
  return rows.length === 1;
}

export async function countWebhooks(on: Runner, accountId: string | null): Promise<number> {
  const [row] = await on.run(
    `select count(*) as count from webhooks where coalesce(account_id, '') = $1`,
    [accountId ?? ''],
  );
  return Number(row?.['count'] ?? 0);
}

/** Newest first. If `accountId` is undefined, lists all. */
export async function listWebhooks(
  on: Runner,
  accountId: string | undefined,
  { position, limit }: ListPage,
): Promise<WebhookRow[]> {
  const where = whereAll([{ text: 'account_id = ?', values: [accountId] }, olderThan(position)]);
  const rows = await on.run(
    `select ${columns} from webhooks${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readWebhook);
}

export async function findWebhook(on: Runner, id: string): Promise<WebhookRow | undefined> {
  const [row] = await on.run(`select ${columns} from webhooks where id = $1`, [id]);
  return row && readWebhook(row);
}

/** Locks the endpoint until the end of the transaction. */
export async function lockWebhook(on: Runner, id: string): Promise<WebhookRow | undefined> {
  const [row] = await on.run(
    `select ${columns} from webhooks where id = $1${on.lock('for update')}`,
    [id],
  );
  return row && readWebhook(row);
}

export async function updateWebhook(on: Runner, row: WebhookRow): Promise<void> {
  await on.run(
    `update webhooks set url = $2, events = $3, description = $4, paused = $5,
       secret_version = $6, old_secret_until = $7, updated_at = $8 where id = $1`,
    [
      row.id,
      row.url,
      JSON.stringify(row.events),
      row.description,
      row.paused ? 1 : 0,
      row.secret_version,
      row.old_secret_until,
      row.updated_at,
    ],
  );
}

export async function deleteWebhook(on: Runner, id: string): Promise<void> {
  await on.run('delete from webhooks where id = $1', [id]);
}

/** A newer version may know more events. */
const isEvents = (value: unknown): value is SubscribableEvent[] => isListOf(isText)(value);

function readWebhook(row: Row): WebhookRow {
  return {
    id: String(row['id']),
    account_id: textOrNull(row['account_id']),
    url: String(row['url']),
    events: readJson('The events of a webhook', checked(isEvents), row['events']),
    description: String(row['description']),
    paused: Number(row['paused']) === 1,
    secret_version: Number(row['secret_version']),
    old_secret_until: wholeOrNull(row['old_secret_until']),
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
  };
}
