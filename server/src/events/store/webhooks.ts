// Endpoints that receive events, the version of each account's secret for addresses in requests,
// and which gateways report a provider as unhealthy.
import type { SubscribableEvent } from '@trivium/contract';
import {
  equal,
  flag,
  is,
  json,
  type ListPage,
  scanPage,
  orNull,
  overIds,
  query,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';

/** A newer version may know more events. */
const isEvents = (value: unknown): value is SubscribableEvent[] => is.listOf(is.text)(value);

const webhooks = table(
  'webhooks',
  {
    id: text,
    account_id: orNull(text),
    url: text,
    events: json(isEvents),
    description: text,
    paused: flag,
    secret_version: whole,
    old_secret_until: orNull(whole),
    created_at: whole,
    updated_at: whole,
  },
  'webhook',
);

export type WebhookRow = ReturnType<typeof webhooks.read>;

/**
 * Of accounts; with null, those of the gateway itself. None changes until the end of the
 * transaction, so that a pause or a new address applies to what is written now.
 */
export async function lockEndpoints(
  on: Runner,
  accountIds: readonly (string | null)[],
): Promise<WebhookRow[]> {
  const lock = on.lock('for share');
  const ids = accountIds.filter((id) => id !== null);
  const ofGateway = accountIds.includes(null)
    ? await webhooks.list(on, `where account_id is null order by id${lock}`)
    : [];
  const ofAccounts = ids.length === 0 ? [] : await listOfAccounts(on, ids);
  return [...ofGateway, ...ofAccounts.map(webhooks.read)];
}

const listOfAccounts = overIds(
  (places, lock) =>
    `select ${webhooks.columns} from webhooks where account_id in (${places}) order by id${lock}`,
  'for share',
);

export const insertWebhooks = webhooks.insert();

/** Locks the account, so that two requests cannot both add the last endpoint that it may have. */
export function hasAccount(on: Runner, id: string): Promise<boolean> {
  return query.exists(on, `select id from accounts where id = $1${on.lock('for update')}`, [id]);
}

export function countWebhooks(on: Runner, accountId: string | null): Promise<number> {
  const count = 'select count(*) from webhooks where account_id is not distinct from $1';
  return query.number(on, count, [accountId]);
}

/** Newest first. Lists those of all accounts if none is given. */
export function listWebhooks(on: Runner, page: ListPage & { account_id?: string | undefined }) {
  return scanPage(on, { ...webhooks, indexed: equal({ account_id: page.account_id }) }, page);
}

export const findWebhook = webhooks.by('id');

/** Locks the endpoint until the end of the transaction. */
export function lockWebhook(on: Runner, id: string): Promise<WebhookRow | undefined> {
  return webhooks.find(on, `where id = $1${on.lock('for update')}`, [id]);
}

export const updateWebhooks = webhooks.omit('account_id', 'created_at').update('id');

export async function deleteWebhook(on: Runner, id: string): Promise<void> {
  await on.run('delete from webhooks where id = $1', [id]);
}

const secrets = table('webhook_secrets', {
  account_id: text,
  secret_version: whole,
  old_secret_until: orNull(whole),
});
const version = secrets.omit('account_id');

/** Until `old_secret_until`, the previous version signs as well. */
type SecretVersion = ReturnType<typeof version.read>;

export async function findAccountSecret(on: Runner, accountId: string): Promise<SecretVersion> {
  const found = await version.find(on, 'where account_id = $1', [accountId]);
  return found ?? { secret_version: 1, old_secret_until: null };
}

const raise = secrets.insert({
  end: `on conflict (account_id) do update set
     secret_version = webhook_secrets.secret_version + 1,
     old_secret_until = excluded.old_secret_until`,
});

export async function raiseAccountSecret(
  on: Runner,
  accountId: string,
  oldSecretUntil: number,
): Promise<void> {
  await raise(on, [{ account_id: accountId, secret_version: 2, old_secret_until: oldSecretUntil }]);
}

/** Until when the report of each gateway counts. */
export type Reports = Readonly<Record<string, number>>;

const isReports = (value: unknown): value is Reports =>
  Object.values(Object(value)).every(is.number);

const health = table('provider_health', { provider: text, reporters: json(isReports) });
const insertNew = health.insertNew('provider');

/** Locks the row until the end of the transaction, and creates it if necessary. */
export async function lockReports(on: Runner, provider: string): Promise<Reports> {
  await insertNew(on, { provider, reporters: {} });
  const lock = on.lock('for update');
  const row = await health.find(on, `where provider = $1${lock}`, [provider]);
  return row?.reporters ?? {};
}

export const putReports = health.update('provider');

/** The providers that some gateway reports. */
export function listReported(on: Runner): Promise<string[]> {
  return query.texts(on, `select provider from provider_health where reporters <> '{}'`);
}
