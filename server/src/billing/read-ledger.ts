// What other modules read of the books: balances, transfers, and what keys have spent; and the
// release of holds whose time is over.
import type { Balance } from '@trivium/contract';
import { dayOf, firstDayOfMonth } from '../requests/core/index.ts';
import { usageOf, usd } from './core/amount.ts';
import type { Database, Runner } from '../store/index.ts';
import type { Ledger } from './ledger.ts';
import {
  findBalance,
  findBalances,
  findDueHolds,
  findExposed,
  findFunds,
  findNewer,
  listTransfers,
  sumKeyDays,
  type TransferPage,
} from './store/ledger.ts';

/** In micro-USD, without holds. 0 if there is no such account. */
export async function readPosted(on: Runner, accountId: string): Promise<number> {
  return (await findBalances(on, [accountId])).get(accountId)?.posted ?? 0;
}

/** What keys have spent and hold today and this month. A missing key has spent nothing. */
export function readKeySpending(on: Runner, keyIds: readonly string[], now: number) {
  return sumKeyDays(on, keyIds, firstDayOfMonth(now), dayOf(now));
}

/** With the balance after each transfer of one account: the posted amount less newer ones. */
export async function readTransferPage(on: Runner, page: TransferPage) {
  const found = await listTransfers(on, page);
  const { account_id } = page;
  const oldest = found.rows.at(-1);
  if (account_id === undefined || !oldest) return { ...found, balances: undefined };
  const ids = found.rows.map((row) => row.id);
  const lines = await findNewer(on, ids, account_id, oldest.created_at);
  const balances = [...lines].map(([id, { posted, newer }]) => [id, posted - newer] as const);
  return { ...found, balances: new Map(balances) };
}

/** The amount of one transfer, if it exists, and whether an operator has moved other money. */
export async function readFunds(
  on: Runner,
  transferId: string,
): Promise<{ amount: number | undefined; hasOthers: boolean }> {
  const found = await findFunds(on, transferId);
  return { amount: found?.amount ?? undefined, hasOthers: found?.has_others ?? false };
}

/** Releases holds of requests that expired by this time. Returns how many there were. */
export async function releaseDueHolds(
  { database, ledger }: { database: Database; ledger: Pick<Ledger, 'release'> },
  dueAt: number,
  limit: number,
): Promise<number> {
  const due = await findDueHolds(database, dueAt, limit);
  await Promise.all(
    due.map(({ id, account_id }) => ledger.release({ id, account_id, only_if_due_at: dueAt })),
  );
  return due.length;
}

/** An account's available amount: its balance less the holds of running requests. */
export async function readBalance(
  { database, ledger }: { database: Database; ledger: Pick<Ledger, 'reserved' | 'bookJournal'> },
  { account_id }: { account_id: string },
): Promise<Balance> {
  // A request that is settled after this counts as held. Where the journal is booked first, it may
  // count as charged too, but never as neither. A store that books by itself answers as of now.
  const reserved = ledger.reserved(account_id);
  if (ledger.bookJournal) await ledger.bookJournal();
  const [found = { posted: 0, held: 0 }, exposed] = await Promise.all([
    findBalance(database, account_id),
    findExposed(database, [account_id]),
  ]);
  const held = found.held + reserved;
  const free = usageOf(found.posted - held);
  return {
    balance_usd: free.cost_usd,
    held_usd: usd(held),
    exposed_usd: usd(exposed.get(account_id) ?? 0),
    credits: free.credits,
  };
}
