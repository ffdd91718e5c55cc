// The first start: creates the default account and its first key, which is shown once.
import type { AuditAction } from '@trivium/contract';
import { microUsd, usd } from '../billing/core/index.ts';
import { type Database, iso, type Runner } from '../store/index.ts';
import { audit } from '../audit/index.ts';
import { bootstrap } from '../audit/core/index.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { insertAccount } from './store/accounts.ts';
import { insertKey, installBootstrapKey } from './store/keys.ts';
import type { InstalledKey } from './store/keys.ts';
import { bookBatchWithin, type Posting } from '../billing/index.ts';
import type { Mode } from '../settings/index.ts';
import { claimMode, openingTopupId, sandboxBalanceUsd } from './store-mode.ts';

export const defaultAccountId = 'acct_default';

interface FirstStart {
  /** A new key, to be shown once. */
  newKey?: string;
  /** Set if the new account has no money, so that nothing can be paid before a top-up. */
  needsTopUp?: true;
}

/** The opening balance is credited on the first start only. */
export async function prepareAccounts(
  database: Database,
  bootstrapKey: string | undefined,
  now: Date,
  chosenBalanceUsd?: number,
  mode: Mode = 'live',
): Promise<FirstStart> {
  const openingBalanceUsd = chosenBalanceUsd ?? (mode === 'sandbox' ? sandboxBalanceUsd : 0);
  return database.transaction(async (tx) => {
    const at = now.getTime();
    const account = { id: defaultAccountId, name: 'Default' };
    const first = await insertAccount(tx, account, at);
    if (first) await auditFirst(tx, 'account.created', account.id, { name: account.name }, at);
    await claimMode(tx, { mode, isFirst: first, chosenBalanceUsd });
    const needsTopUp = first && openingBalanceUsd === 0 ? { needsTopUp: true as const } : {};
    if (first && openingBalanceUsd > 0) {
      await bookBatchWithin(tx, [openingTopup(microUsd(openingBalanceUsd))], { now: at });
    }
    if (bootstrapKey !== undefined) {
      await auditKeys(
        tx,
        await installBootstrapKey(tx, describeKey(bootstrapKey, 'Bootstrap'), at),
        at,
      );
      return needsTopUp;
    }
    if (!first) return {};
    const newKey = newApiKey(mode);
    const key = describeKey(newKey, 'First key');
    await insertKey(tx, key, at);
    await auditKeys(tx, { installed: key.id, revoked: [] }, at);
    return { newKey, ...needsTopUp };
  });
}

function openingTopup(amount: number): Posting {
  const accountId = defaultAccountId;
  const reason = 'opening balance at the first start';
  return {
    account_id: accountId,
    entry: { kind: 'topup', id: openingTopupId, account_id: accountId, amount, reason },
    audit: {
      by: bootstrap,
      change: {
        action: 'balance.topped_up',
        account_id: accountId,
        target: openingTopupId,
        after: { amount_usd: usd(amount), reason },
      },
    },
  };
}

async function auditKeys(
  tx: Runner,
  { installed, revoked }: InstalledKey,
  at: number,
): Promise<void> {
  const revocation = { revoked_at: iso(at) };
  for (const id of revoked) await auditFirst(tx, 'key.revoked', id, revocation, at);
  if (installed === undefined) return;
  await auditFirst(tx, 'key.created', installed, { account_id: defaultAccountId }, at);
}

async function auditFirst(
  tx: Runner,
  action: AuditAction,
  target: string,
  after: object,
  at: number,
): Promise<void> {
  const change = { action, account_id: defaultAccountId, target, after: { ...after } };
  await audit(tx, bootstrap, change, at);
}

function describeKey(key: string, name: string) {
  return {
    id: newId('key'),
    account_id: defaultAccountId,
    name,
    hash: sha256Hex(key),
    display: key.slice(0, 12),
  };
}
