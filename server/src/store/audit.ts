// The sums of the books read in one statement, so that figures taken while money moves belong
// together.
import type { DebtMovement } from '../domain/ledger/debts.ts';
import type { Runner } from '../platform/database.ts';

/** Amounts in micro-USD. */
export interface Reading {
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
}

export async function readBooks(on: Runner): Promise<Reading> {
  const columns = Object.entries(figures).map(([name, text]) => `(${text}) as ${name}`);
  const [row] = await on.run(`select ${columns.join(',\n')}`);
  const read = Object.keys(figures).map((name): [string, number] => [
    name,
    Number(row?.[name] ?? 0),
  ]);
  return Object.fromEntries(read) as Record<keyof Reading, number>;
}

const sumOf = (kind: string) => `select sum(amount) from transfers where kind = '${kind}'`;

const figures: Readonly<Record<keyof Reading, string>> = {
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
};

/** The newest change of the schema that the store has seen. */
export async function findSchemaVersion(on: Runner): Promise<number> {
  const [row] = await on.run('select version from schema_version where id = 1');
  return Number(row?.['version'] ?? 0);
}

/**
 * Only a settle above its hold makes a debt. Versions before 13 did not write down what was held,
 * and only the settle of a job could be above it.
 */
const debt_lines = `select accounts.id as account_id, posted - accounts.held as free,
    kind, amount, transfers.created_at as created_at,
    case when kind <> 'settle' then 0 else 0 - amount - coalesce(transfers.held, 0) end as excess
  from accounts left join transfers on account_id = accounts.id and (kind <> 'settle'
    or 0 - amount > transfers.held or (transfers.held is null and transfers.id like 'job:%'))
  where posted - accounts.held < 0`;

export async function findDebtLines(on: Runner): Promise<DebtMovement[]> {
  const rows = await on.run(debt_lines);
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    free: Number(row['free']),
    kind: row['kind'] === null ? null : String(row['kind']),
    amount: Number(row['amount']),
    excess: Number(row['excess']),
    created_at: Number(row['created_at']),
  }));
}
