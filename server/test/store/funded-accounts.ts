// Accounts with an opening balance, and a ledger on either engine.
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';

export const accountId = 'acct_1';
export const start = 100;

/** A hold that the ledger keeps in memory on SQLite. */
export const plainHold = {
  account_id: accountId,
  key_id: 'key_1',
  uncapped: true,
  expires_at: Number.MAX_SAFE_INTEGER,
};

export interface AccountBudget {
  account_id: string;
  held: number;
  spent: number;
}

export async function openFundedAccount(
  ledger: Ledger,
  database: Database,
  id: string,
): Promise<AccountBudget> {
  await insertAccount(database, { id, name: id }, 0);
  await ledger.topup({ id: `top_${id}`, account_id: id, amount: start, reason: 'test' });
  return { account_id: id, held: 0, spent: 0 };
}

export function openLedger(database: Database): Ledger {
  return makeLedger({ database, clock: systemClock, log: makeLog('silent') });
}
