// The totals of the ledger, read in one statement so that they are consistent while money moves.
import type { DebtMovement } from '../core/debts.ts';
import { orNull, query, reader, type Runner, text, whole } from '../../store/index.ts';

const sumOf = (kind: string) => `select sum(amount) from transfers where kind = '${kind}'`;

/** Amounts in micro-USD. */
const figures = {
  accounts: 'select count(*) from accounts',
  posted: 'select sum(posted) from accounts',
  held: 'select sum(held) from accounts',
  topups: sumOf('topup'),
  settles: sumOf('settle'),
  refunds: sumOf('refund'),
  adjustments: sumOf('adjust'),
  transfers: 'select count(*) from transfers',
  distinct_transfers: 'select count(distinct id) from transfers',
  open_holds: 'select count(*) from holds',
  open_hold_sum: 'select sum(amount) from holds',
  /** Granted to gateways and not booked. */
  granted: 'select sum(granted - booked) from allowances',
};

export type BookTotals = Record<keyof typeof figures, number>;

export async function readBookTotals(on: Runner): Promise<BookTotals> {
  const columns = Object.entries(figures).map(([name, text]) => `(${text}) as ${name}`);
  const [row = {}] = await on.run(`select ${columns.join(',\n')}`);
  const read = Object.keys(figures).map((name) => [name, Number(row[name])]);
  return Object.fromEntries(read) as BookTotals;
}

/** The version of the newest migration that was applied. */
export function findSchemaVersion(on: Runner): Promise<number> {
  return query.number(on, 'select version from schema_version where id = 1');
}

/**
 * Only a settle above its hold causes a debt. Before migration 13 the amount of the hold was not
 * stored, and only the settle of a job could exceed it.
 */
const debtLines = `select accounts.id as account_id, posted - accounts.held as free,
    kind, amount, transfers.created_at as created_at,
    case when kind <> 'settle' then 0 else 0 - amount - coalesce(transfers.held, 0) end as excess
  from accounts left join transfers on account_id = accounts.id and (kind <> 'settle'
    or 0 - amount > transfers.held or (transfers.held is null and transfers.id like 'job:%'))
  where posted - accounts.held < 0`;

const readLine = reader({
  account_id: text,
  free: whole,
  kind: orNull(text),
  amount: whole,
  excess: whole,
  created_at: whole,
});

export function findDebtLines(on: Runner): Promise<DebtMovement[]> {
  return query.rows(on, readLine, debtLines);
}
