// The version of each account's secret for addresses in requests. Version 1 needs no row.
import { type Runner, wholeOrNull } from '../../store/index.ts';
import type { SecretVersion } from '../core/secret-version.ts';

export async function findAccountSecret(on: Runner, accountId: string): Promise<SecretVersion> {
  const [row] = await on.run(
    'select secret_version, old_secret_until from webhook_secrets where account_id = $1',
    [accountId],
  );
  if (!row) return { secret_version: 1, old_secret_until: null };
  return {
    secret_version: Number(row['secret_version']),
    old_secret_until: wholeOrNull(row['old_secret_until']),
  };
}

export async function raiseAccountSecret(
  on: Runner,
  accountId: string,
  oldSecretUntil: number,
): Promise<void> {
  await on.run(
    `insert into webhook_secrets (account_id, secret_version, old_secret_until) values ($1, 2, $2)
     on conflict (account_id) do update set
       secret_version = webhook_secrets.secret_version + 1,
       old_secret_until = excluded.old_secret_until`,
    [accountId, oldSecretUntil],
  );
}
