// A balance is read while requests are settled.
import { expect, test } from 'bun:test';
import type { Database } from '../store/index.ts';
import { readBalance } from './read-ledger.ts';

test('a request that is settled while the balance is read counts as held or as charged', async () => {
  let reserved = 7000;
  const run = async (text: string) => {
    if (!text.includes('accounts')) return [];
    // The row is read before the settlement, and the answer arrives after it.
    reserved = 0;
    return [{ id: 'acct_a', posted: 1_000_000, held: 0 }];
  };
  const database = { run, lock: () => '' } as unknown as Database;
  const ledger = { reserved: () => reserved, bookJournal: () => Promise.resolve() };
  const balance = await readBalance({ database, ledger }, { account_id: 'acct_a' });
  expect(balance).toMatchObject({ held_usd: 0.007, balance_usd: 0.993 });
});
