// The books read in one statement, so that figures taken while money moves belong together.
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
  accounts_off_balance: number;
  accounts_off_hold: number;
  charges_without_transfer: number;
  open_holds_charged: number;
  keys_off_hold: number;
  key_spending: number;
  keyed_transfers: number;
  requests_off_cost: number;
  answers_without_charge: number;
  work_that_failed: number;
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
  accounts_off_balance: `select count(*) from accounts where posted <>
    (select coalesce(sum(amount), 0) from transfers where account_id = accounts.id)`,
  accounts_off_hold: `select count(*) from accounts where held <>
    (select coalesce(sum(amount), 0) from holds where account_id = accounts.id)`,
  charges_without_transfer: `select count(*) from requests
    where cost > 0 and tool <> 'transcription' and not exists
      (select 1 from transfers where transfers.id = requests.id)`,
  open_holds_charged: 'select count(*) from holds join transfers on transfers.id = holds.id',
  keys_off_hold: `select count(*) from
    (select key_id, sum(held) as held from key_days group by key_id) as days
    where days.held <> (select coalesce(sum(amount), 0) from holds
      where holds.key_id = days.key_id and counted = 1)`,
  key_spending: 'select sum(spent) from key_days',
  keyed_transfers: 'select 0 - sum(amount) from transfers where key_id is not null',
  requests_off_cost: `select count(*) from requests
    join transfers on transfers.id = requests.id where cost <> 0 - amount`,
  answers_without_charge: `select count(*) from idempotency
    where state = 'done' and status = 200 and not exists
      (select 1 from transfers where transfers.id = idempotency.owner)`,
  work_that_failed: 'select count(*) from deferred where trouble is not null',
};
