// The secret of an account. It signs deliveries to the addresses in the account's requests.
import { hourMs } from '@trivium/contract/durations';
import { GatewayError } from '@trivium/contract';
import type { SecretRotation, WebhookSecret } from '@trivium/contract';
import { audit } from '../audit/index.ts';
import type { Author } from '../audit/core/index.ts';
import { isoOrNull, type Runner } from '../store/index.ts';
import type { WebhookContext } from './context.ts';
import { secretOf } from './secrets.ts';
import { findAccountSecret, raiseAccountSecret } from './store/account-secrets.ts';
import { hasAccount } from './store/webhooks.ts';

export async function readAccountSecret(
  { database, secret }: WebhookContext,
  accountId: string,
): Promise<WebhookSecret> {
  return show(database, secret, accountId);
}

export async function rotateAccountSecret(
  { database, clock, secret }: WebhookContext,
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
    secret: secretOf(secret, accountId, version),
    old_secret_until: isoOrNull(version.old_secret_until),
  };
}

export function noAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}
