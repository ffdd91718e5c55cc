// The version of each account's secret for addresses in requests. Version 1 needs no row.
import { orNull, query, type Runner, table, text, whole } from '../../store/index.ts';
import type { SecretVersion } from '../core/secret-version.ts';

const secrets = table('webhook_secrets', {
  account_id: text,
  secret_version: whole,
  old_secret_until: orNull(whole),
});
const version = secrets.omit('account_id');

export async function findAccountSecret(on: Runner, accountId: string): Promise<SecretVersion> {
  const select = `select ${version.columns} from webhook_secrets where account_id = $1`;
  const found = await query.row(on, version.read, select, [accountId]);
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
