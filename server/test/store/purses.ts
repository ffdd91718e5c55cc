// Accounts with a little money in them, and ledgers over one store or the other.
import { system_clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import type { Ledger } from '../../src/services/ledger.ts';
import { insertAccount } from '../../src/store/accounts.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated.ts';

export const account_id = 'acct_1';
export const start = 100;

export const embedded = engines.find(({ name }) => name === 'SQLite');
export const shared = engines.find(({ name }) => name === 'PostgreSQL');

/** What is held in memory, where it may be. */
export const quick = {
  account_id,
  key_id: 'key_1',
  uncapped: true,
  expires_at: Number.MAX_SAFE_INTEGER,
};

export interface Purse {
  account_id: string;
  set_aside: number;
  spent: number;
}

export async function openPurse(ledger: Ledger, database: Database, id: string): Promise<Purse> {
  await insertAccount(database, { id, name: id }, 0);
  await ledger.topup({ id: `top_${id}`, account_id: id, amount: start, reason: 'test' });
  return { account_id: id, set_aside: 0, spent: 0 };
}

export function openLedger(database: Database): Ledger {
  return makeLedger({ database, clock: system_clock, log: makeLog('silent') });
}

export function openStore(engine: (typeof engines)[number] | undefined) {
  if (!engine) throw new Error('There is no such store to test on.');
  return makeStore(engine);
}
