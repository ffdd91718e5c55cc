// Signing secrets. They are derived from the secret of the deployment, so that a copy of the
// database contains none.
import { webhookSecret } from '../platform/signatures.ts';
import type { Runner } from '../store/index.ts';
import { signingVersions } from './core/secret-version.ts';
import type { SecretVersion } from './core/secret-version.ts';
import { findAccountSecret } from './store/account-secrets.ts';
import type { DeliveryRow } from './store/deliveries.ts';
import { findWebhook } from './store/webhooks.ts';

/** The secret of an endpoint, or of an account for the addresses in its requests. */
export function secretOf(
  secret: string,
  ownerId: string,
  { secret_version }: Pick<SecretVersion, 'secret_version'>,
): string {
  return webhookSecret(secret, `${ownerId} ${secret_version}`);
}

/** The secrets that sign a delivery now. Empty if its endpoint no longer exists. */
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
  return signingVersions(version, now).map((secret_version) =>
    secretOf(secret, ownerId, { secret_version }),
  );
}
