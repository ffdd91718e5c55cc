// The first start: the default account and its first key, shown once and never again.
import type { Database } from '../platform/database.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { insertAccount } from '../store/accounts.ts';
import { insertKey } from '../store/keys.ts';

export const default_account_id = 'acct_default';

export interface FirstStart {
  /** A key made now; to be shown once. */
  new_key?: string;
}

export async function prepareAccounts(
  database: Database,
  bootstrap_key: string | undefined,
  now: Date,
): Promise<FirstStart> {
  return database.transaction(async (tx) => {
    const at = now.getTime();
    const account = { id: default_account_id, name: 'Default' };
    const first = await insertAccount(tx, account, at);
    if (bootstrap_key !== undefined) {
      await insertKey(tx, describeKey(bootstrap_key, 'Bootstrap'), at);
      return {};
    }
    if (!first) return {};
    const new_key = newApiKey();
    await insertKey(tx, describeKey(new_key, 'First key'), at);
    return { new_key };
  });
}

function describeKey(key: string, name: string) {
  return {
    id: newId('key'),
    account_id: default_account_id,
    name,
    hash: sha256Hex(key),
    display: key.slice(0, 12),
  };
}
