// Transfers as reports read them: from newest to oldest, and the balance after each.
import {
  type Filter,
  idStatement,
  type ListPage,
  query,
  reader,
  type Runner,
  type ScanLimits,
  scanPage,
  text,
  timeFilters,
  type TimeRange,
  whole,
} from '../../store/index.ts';
import { listedTransfers } from './ledger.ts';

export interface TransferFilter extends TimeRange {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: string | undefined;
}

export function listTransfers(
  on: Runner,
  filter: TransferFilter,
  page: ListPage,
  limits?: ScanLimits,
) {
  const { account_id, key_id, kind } = filter;
  const indexed: Filter[] = [
    { text: 'account_id = ?', values: [account_id] },
    // The few transfers that are not charges have their own index.
    ...(kind === undefined || kind === 'settle' ? [] : [{ text: "kind <> 'settle'", values: [] }]),
    ...timeFilters(filter),
  ];
  const others: Filter[] = [
    { text: 'key_id = ?', values: [key_id] },
    { text: 'kind = ?', values: [kind] },
  ];
  const list = { table: 'transfers', ...listedTransfers, indexed, others };
  return scanPage(on, list, page, limits);
}

/** At most this many newer lines are added up. Lines before them have no balance. */
const maxLines = 20_000;

const balancesStatement = idStatement(
  (places) => `select id, newer, (select posted from accounts where id = $1) as posted from (
       select id, coalesce(sum(amount) over (order by created_at desc, id desc
         rows between unbounded preceding and 1 preceding), 0) as newer
       from (select id, created_at, amount from transfers
         where account_id = $1 and created_at >= $2
         order by created_at desc, id desc limit ${maxLines}) as latest) as summed
     where id in (${places})`,
);

const readLine = reader({ id: text, posted: whole, newer: whole });

/** The balance of the account after each line, in micro-USD: the posted amount less newer lines. */
export async function findBalancesAfter(
  on: Runner,
  account: { id: string; oldest_at: number },
  lines: readonly string[],
): Promise<Map<string, number>> {
  if (lines.length === 0) return new Map();
  const statement = balancesStatement(lines, account.id, account.oldest_at);
  const rows = await query.rows(on, readLine, ...statement);
  return new Map(rows.map(({ id, posted, newer }) => [id, posted - newer]));
}

export async function findTransferAmount(on: Runner, id: string): Promise<number | undefined> {
  const select = 'select amount from transfers where id = $1';
  return (await query.row(on, reader({ amount: whole }), select, [id]))?.amount;
}

/** True if an operator has moved money, not counting the transfer `id`. */
export function hasOtherFunds(on: Runner, id: string): Promise<boolean> {
  const select = `select id from transfers where kind in ('topup', 'adjust') and id <> $1 limit 1`;
  return query.exists(on, select, [id]);
}
