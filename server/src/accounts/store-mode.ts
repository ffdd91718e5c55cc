// Keeps play money and real money apart: a store belongs to the mode that created it, and a gateway
// in the other mode refuses to start with it.
import { microUsd } from '../billing/core/index.ts';
import { isMode, type Mode, type Settings } from '../settings/index.ts';
import { StartError } from '../platform/start-error.ts';
import { findFact, insertFact, type Runner } from '../store/index.ts';
import { findDataDir, listTables, storeFileIn } from '../store/opening.ts';
import { findTransferAmount, hasOtherFunds } from '../billing/index.ts';

/** The opening balance in sandbox mode, where no provider costs money. */
export const sandboxBalanceUsd = 10;

export const openingTopupId = 'top_opening';

const fact = 'mode';

interface Start {
  mode: Mode;
  /** True if this start created the default account. */
  isFirst: boolean;
  /** TRIVIUM_BOOTSTRAP_BALANCE_USD, if the operator set it. */
  chosenBalanceUsd: number | undefined;
}

/** Marks a new store with its mode, and refuses a store of the other one. */
export async function claimMode(tx: Runner, start: Start): Promise<void> {
  const known = start.isFirst ? start.mode : await findMode(tx);
  const found = known ?? (await guessMode(tx, start.chosenBalanceUsd));
  if (found !== start.mode) throw refusal(found, known === undefined);
  await insertFact(tx, fact, found);
}

export async function findMode(on: Runner): Promise<Mode | undefined> {
  const value = await findFact(on, fact);
  return isMode(value) ? value : undefined;
}

type ModeSettings = Pick<
  Settings,
  'sandbox' | 'mode' | 'database_url' | 'configured_dir' | 'data_dir'
>;

/**
 * Callers of a live gateway must not get invented results because a credential is missing, so
 * `auto` does not switch from a live store to the sandbox. On PostgreSQL the store itself is
 * checked, see `claimMode`.
 */
export function checkSandboxIsMeant(settings: ModeSettings): void {
  const { sandbox, mode, database_url, configured_dir } = settings;
  if (sandbox !== 'auto' || mode !== 'sandbox' || database_url !== undefined) return;
  if (findDataDir(settings) !== configured_dir) return;
  throw new StartError(
    `No vendor has a credential, but ${storeFileIn(configured_dir)} is a live store, so the ` +
      'gateway does not start in sandbox mode on its own. Set the credential of a vendor, TRIVIUM_SANDBOX=on for simulated vendors, or ' +
      'TRIVIUM_SANDBOX=off to start without any.',
  );
}

/** For a store that may be a backup made by an older version. */
export async function readStoreMode(sqlite: Runner): Promise<Mode> {
  const hasFacts = (await listTables(sqlite)).includes('store_facts');
  return (hasFacts ? await findMode(sqlite) : undefined) ?? guessMode(sqlite, undefined);
}

/**
 * Stores of older versions have no mark. A store with the sandbox's opening balance and no other
 * money belongs to the sandbox, unless the operator set an opening balance.
 */
async function guessMode(on: Runner, chosenBalanceUsd: number | undefined): Promise<Mode> {
  if (chosenBalanceUsd !== undefined) return 'live';
  const opening = await findTransferAmount(on, openingTopupId);
  if (opening !== microUsd(sandboxBalanceUsd)) return 'live';
  return (await hasOtherFunds(on, openingTopupId)) ? 'live' : 'sandbox';
}

function refusal(found: Mode, isGuess: boolean): StartError {
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
