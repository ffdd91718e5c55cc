// Signing secrets. They are derived from the secret of the deployment, so that a copy of the
// database contains none. The secret of an account signs deliveries to the addresses in its
// requests.
import {
  findAccountSecret,
  findWebhook,
  hasAccount,
  raiseAccountSecret,
} from './store/webhooks.ts';
import { audit, type Author } from '../audit/index.ts';
import { webhookSecret } from '../platform/ids.ts';
import { iso, type Runner } from '../store/index.ts';
import type { DeliveryRow } from './store/deliveries.ts';
import { hourMs } from '@trivium/contract/durations';
import { GatewayError, type SecretRotation, type WebhookSecret } from '@trivium/contract';
import type { EventsContext } from './context.ts';

/** The secret of an endpoint, or of an account for the addresses in its requests. */
export function secretOf(secret: string, ownerId: string, version: number): string {
  return webhookSecret(secret, `${ownerId} ${version}`);
}

/** The secrets that sign a delivery now, the current one first. Empty if its endpoint is gone. */
export async function signingSecrets(
  on: Runner,
  secret: string,
  { webhook_id, account_id }: Pick<DeliveryRow, 'webhook_id' | 'account_id'>,
  now: number,
): Promise<string[]> {
  const ownerId = webhook_id ?? account_id ?? '';
  const version =
    webhook_id === null ? await findAccountSecret(on, ownerId) : await findWebhook(on, webhook_id);
  if (!version) return [];
  const { secret_version: current, old_secret_until: until } = version;
  const overlaps = until !== null && now < until && current > 1;
  const versions = overlaps ? [current, current - 1] : [current];
  return versions.map((one) => secretOf(secret, ownerId, one));
}

export async function readAccountSecret(
  { database, secret }: EventsContext,
  accountId: string,
): Promise<WebhookSecret> {
  return show(database, secret, accountId);
}

export async function rotateAccountSecret(
  { database, clock, secret }: EventsContext,
  by: Author,
  accountId: string,
  { overlap_hours }: SecretRotation,
): Promise<WebhookSecret> {
  const now = clock.now().getTime();
  const until = now + overlap_hours * hourMs;
  return database.transaction(async (tx) => {
    if (!(await hasAccount(tx, accountId))) throw noAccount(accountId);
    await raiseAccountSecret(tx, accountId, until);
    const change = { action: 'webhook.rotated', account_id: accountId, target: accountId } as const;
    await audit(tx, by, { ...change, after: { overlap_hours } }, now);
    return show(tx, secret, accountId);
  });
}

async function show(on: Runner, secret: string, accountId: string): Promise<WebhookSecret> {
  if (!(await hasAccount(on, accountId))) throw noAccount(accountId);
  const version = await findAccountSecret(on, accountId);
  return {
    account_id: accountId,
    secret: secretOf(secret, accountId, version.secret_version),
    old_secret_until: iso(version.old_secret_until),
  };
}

export function noAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}
