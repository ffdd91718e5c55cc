// The first start: the default account and its first key, shown once and never again.
import { microUsd } from '../domain/money.ts';
import type { Database } from '../platform/database.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { insertAccount } from '../store/accounts.ts';
import { insertKey, installBootstrapKey } from '../store/keys.ts';
import { postWithin } from './post-batch.ts';
import type { Posting } from './post-batch.ts';

export const default_account_id = 'acct_default';

export interface FirstStart {
  /** A key made now; to be shown once. */
  new_key?: string;
}

/** The opening balance is given on the first start only. */
export async function prepareAccounts(
  database: Database,
  bootstrap_key: string | undefined,
  now: Date,
  opening_balance_usd = 0,
): Promise<FirstStart> {
  return database.transaction(async (tx) => {
    const at = now.getTime();
    const account = { id: default_account_id, name: 'Default' };
    const first = await insertAccount(tx, account, at);
    if (first && opening_balance_usd > 0) {
      await postWithin(tx, [openingTopup(microUsd(opening_balance_usd))], { now: at });
    }
    if (bootstrap_key !== undefined) {
      await installBootstrapKey(tx, describeKey(bootstrap_key, 'Bootstrap'), at);
      return {};
    }
    if (!first) return {};
    const new_key = newApiKey();
    await insertKey(tx, describeKey(new_key, 'First key'), at);
    return { new_key };
  });
}

function openingTopup(amount: number): Posting {
  const account_id = default_account_id;
  const reason = 'opening balance at the first start';
  return { account_id, entry: { kind: 'topup', id: 'top_opening', account_id, amount, reason } };
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
