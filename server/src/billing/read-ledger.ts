// What other modules read of the books: balances, transfers, and what keys have spent; and the release
// of holds whose time is over.
import { dayOf, firstDayOfMonth } from '../requests/core/index.ts';
import type { Database, ListPage, Runner } from '../store/index.ts';
import type { Ledger } from './ledger.ts';
import { findBalances, findDueHolds, sumKeyDays } from './store/ledger.ts';
import {
  findBalancesAfter,
  findTransferAmount,
  hasOtherFunds,
  listTransfers,
  type TransferFilter,
} from './store/transfers.ts';

/** In micro-USD, without holds. 0 if there is no such account. */
export async function readPosted(on: Runner, accountId: string): Promise<number> {
  return (await findBalances(on, [accountId])).get(accountId)?.posted ?? 0;
}

/** What keys have spent and hold today and this month. A missing key has spent nothing. */
export function readKeySpending(on: Runner, keyIds: readonly string[], now: number) {
  return sumKeyDays(on, keyIds, { first_day: firstDayOfMonth(now), today: dayOf(now) });
}

/** With the balance after each transfer, if they are of one account. */
export async function readTransferPage(on: Runner, filter: TransferFilter, page: ListPage) {
  const found = await listTransfers(on, filter, page);
  const { account_id: id } = filter;
  if (id === undefined) return { ...found, balances: undefined };
  const oldest = { id, oldest_at: found.rows.at(-1)?.created_at ?? 0 };
  const lines = found.rows.map((row) => row.id);
  return { ...found, balances: await findBalancesAfter(on, oldest, lines) };
}

/** The amount of one transfer, if it exists, and whether an operator has moved other money. */
export async function readFunds(
  on: Runner,
  transferId: string,
): Promise<{ amount: number | undefined; hasOthers: boolean }> {
  const amount = await findTransferAmount(on, transferId);
  return { amount, hasOthers: await hasOtherFunds(on, transferId) };
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
