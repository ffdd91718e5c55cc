// The totals of the ledger, read in one statement so that they are consistent while money moves.
import type { DebtMovement } from '../core/debts.ts';
import { type Runner, textOrNull } from '../../store/index.ts';

/** Amounts in micro-USD. */
export interface BookTotals {
  accounts: number;
  posted: number;
  held: number;
  topups: number;
  settles: number;
  refunds: number;
  adjustments: number;
  transfers: number;
  distinct_transfers: number;
  open_holds: number;
  open_hold_sum: number;
  /** Granted to gateways and not booked. */
  granted: number;
}

export async function readBookTotals(on: Runner): Promise<BookTotals> {
  const columns = Object.entries(figures).map(([name, text]) => `(${text}) as ${name}`);
  const [row] = await on.run(`select ${columns.join(',\n')}`);
  const read = Object.keys(figures).map((name): [string, number] => [
    name,
    Number(row?.[name] ?? 0),
  ]);
  return Object.fromEntries(read) as Record<keyof BookTotals, number>;
}

const sumOf = (kind: string) => `select sum(amount) from transfers where kind = '${kind}'`;

const figures: Readonly<Record<keyof BookTotals, string>> = {
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
  granted: 'select sum(granted - booked) from allowances',
};

/** The version of the newest migration that was applied. */
export async function findSchemaVersion(on: Runner): Promise<number> {
  const [row] = await on.run('select version from schema_version where id = 1');
  return Number(row?.['version'] ?? 0);
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

export async function findDebtLines(on: Runner): Promise<DebtMovement[]> {
  const rows = await on.run(debtLines);
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    free: Number(row['free']),
    kind: textOrNull(row['kind']),
    amount: Number(row['amount']),
    excess: Number(row['excess']),
    created_at: Number(row['created_at']),
  }));
}
