// The mode in which a store was created, as a row of its own.
import { isMode, type Mode } from '../../settings/index.ts';
import type { Runner } from '../../store/index.ts';

/** Keeps the mode that is there, if there is one. */
export async function insertMode(on: Runner, mode: Mode): Promise<void> {
  await on.run(
    `insert into store_facts (name, value) values ('mode', $1) on conflict (name) do nothing`,
    [mode],
  );
}

export async function findMode(on: Runner): Promise<Mode | undefined> {
  const [row] = await on.run(`select value from store_facts where name = 'mode'`);
  const value = row?.['value'];
  return isMode(value) ? value : undefined;
}

export async function findTransferAmount(on: Runner, id: string): Promise<number | undefined> {
  const [row] = await on.run('select amount from transfers where id = $1', [id]);
  return row && Number(row['amount']);
}

/** Whether an operator has moved money, not counting the transfer `id`. */
export async function hasOtherFunds(on: Runner, id: string): Promise<boolean> {
  const rows = await on.run(
    `select id from transfers where kind in ('topup', 'adjust') and id <> $1 limit 1`,
    [id],
  );
  return rows.length > 0;
}
