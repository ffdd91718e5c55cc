// The first start: creates the default account and its first key, which is shown once. It also keeps
// play money and real money apart: a store belongs to the mode that created it, and a gateway in the
// other mode refuses to start with it.
import type { AuditAction } from '@trivium/contract';
import { microUsd, usd } from '../billing/core/index.ts';
import { type Database, facts, iso, type Runner } from '../store/index.ts';
import { audit, bootstrap } from '../audit/index.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { insertAccount } from './store/accounts.ts';
import { insertKey, installBootstrapKey, type InstalledKey } from './store/keys.ts';
import { bookBatchWithin, type Posting, readFunds } from '../billing/index.ts';
import { isMode, type Mode, type Settings } from '../settings/index.ts';
import { StartError } from '../platform/start-error.ts';
import { findDataDir, storeFileIn } from '../store/opening.ts';

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
    await checkMode(tx, { mode, isFirst: first, chosenBalanceUsd });
    const needsTopUp = first && openingBalanceUsd === 0 ? { needsTopUp: true as const } : {};
    if (first && openingBalanceUsd > 0) {
      await bookBatchWithin(tx, [openingTopup(microUsd(openingBalanceUsd))], { now: at });
    }
    if (bootstrapKey !== undefined) {
      const installed = await installBootstrapKey(tx, newKeyRow(bootstrapKey, 'Bootstrap'), at);
      await auditKeys(tx, installed, at);
      return needsTopUp;
    }
    if (!first) return {};
    const newKey = newApiKey(mode);
    const key = newKeyRow(newKey, 'First key');
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

async function auditKeys(tx: Runner, { installed, revoked }: InstalledKey, at: number) {
  for (const id of revoked) await auditFirst(tx, 'key.revoked', id, { revoked_at: iso(at) }, at);
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

function newKeyRow(key: string, name: string) {
  return {
    id: newId('key'),
    account_id: defaultAccountId,
    name,
    hash: sha256Hex(key),
    display: key.slice(0, 12),
  };
}

/** The opening balance in sandbox mode, where no provider costs money. */
const sandboxBalanceUsd = 10;

const openingTopupId = 'top_opening';

const modeFact = 'mode';

/** Marks a new store with its mode, and refuses a store of the other one. */
async function checkMode(
  tx: Runner,
  start: { mode: Mode; isFirst: boolean; chosenBalanceUsd: number | undefined },
): Promise<void> {
  const known = start.isFirst ? start.mode : await findMode(tx);
  const mode = known ?? (await guessMode(tx, start.chosenBalanceUsd));
  if (mode !== start.mode) throw wrongMode(mode, known === undefined);
  await facts.insert(tx, modeFact, mode);
}

export async function findMode(on: Runner): Promise<Mode | undefined> {
  const value = await facts.find(on, modeFact);
  return isMode(value) ? value : undefined;
}

/**
 * Callers of a live gateway must not get invented results because a credential is missing, so
 * `auto` does not switch from a live store to the sandbox. On PostgreSQL the store itself is
 * checked, see `checkMode`.
 */
export function checkSandboxIsMeant(
  settings: Pick<Settings, 'sandbox' | 'mode' | 'database_url' | 'configured_dir' | 'data_dir'>,
): void {
  const { sandbox, mode, database_url, configured_dir } = settings;
  if (sandbox !== 'auto' || mode !== 'sandbox' || database_url !== undefined) return;
  if (findDataDir(settings) !== configured_dir) return;
  throw new StartError(
    `No vendor has a credential, but ${storeFileIn(configured_dir)} is a live store, so the ` +
      'gateway does not start in sandbox mode on its own. Set the credential of a vendor, TRIVIUM_SANDBOX=on for simulated vendors, or ' +
      'TRIVIUM_SANDBOX=off to start without any.',
  );
}

/** For a backup, which may have no mark. */
export async function readStoreMode(sqlite: Runner): Promise<Mode> {
  return (await findMode(sqlite)) ?? guessMode(sqlite, undefined);
}

/**
 * Stores of older versions have no mark. A store with the sandbox's opening balance and no other
 * money belongs to the sandbox, unless the operator set an opening balance.
 */
async function guessMode(on: Runner, chosenBalanceUsd: number | undefined): Promise<Mode> {
  if (chosenBalanceUsd !== undefined) return 'live';
  const { amount, hasOthers } = await readFunds(on, openingTopupId);
  return amount === microUsd(sandboxBalanceUsd) && !hasOthers ? 'sandbox' : 'live';
}

function wrongMode(found: Mode, isGuess: boolean): StartError {
  if (found === 'live') {
    return new StartError(
      'This store has real balances, and the gateway would start in sandbox mode, where ' +
        'every vendor is simulated. Set the credential of a vendor to run live, or give the ' +
        'sandbox its own DATABASE_URL or TRIVIUM_DATA_DIR.',
    );
  }
  const otherwise = isGuess
    ? ' If its balance is real, set TRIVIUM_BOOTSTRAP_BALANCE_USD=10 to use it as a live store.'
    : '';
  return new StartError(
    'This store was created in sandbox mode: its balance is not real money, and the ' +
      'gateway would start live. Set DATABASE_URL or TRIVIUM_DATA_DIR to an empty database ' +
      'or directory for the live store, or set TRIVIUM_SANDBOX=on to stay in the ' +
      `sandbox.${otherwise}`,
  );
}
