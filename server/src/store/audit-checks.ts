// What must hold of every single row of the books, as statements that find the rows of which it
// does not. Each is one statement, so that what it compares was true at one moment.
import type { Row, Runner } from '../platform/database.ts';
import { isPaid } from './audit-payments.ts';

export interface Check {
  /** The rule, as a sentence. */
  says: string;
  /** What the rows it finds are. */
  of: 'account' | 'key' | 'hold' | 'transfer' | 'request' | 'idempotency key';
  /**
   * Selects `account_id`, `id`, `found` and `expected` of each row that breaks the rule; amounts in
   * micro-USD, null where there is nothing to tell.
   */
  find: string;
}

/** A row that breaks a rule. */
export interface Breach {
  account_id: string | null;
  id: string | null;
  found: number | null;
  expected: number | null;
}

/** Enough to know what is wrong; the books of a large store may be wrong in every row. */
export const most_breaches = 100;

/** One more than told, to know whether there are more. */
export async function findBreaches(on: Runner, { find }: Check): Promise<Breach[]> {
  const rows = await on.run(`${find} limit ${most_breaches + 1}`);
  return rows.map((row) => ({
    account_id: textIn(row, 'account_id'),
    id: textIn(row, 'id'),
    found: numberIn(row, 'found'),
    expected: numberIn(row, 'expected'),
  }));
}

function textIn(row: Row, name: string): string | null {
  const value = row[name];
  return value === null || value === undefined ? null : String(value);
}

/** PostgreSQL hands out whole numbers as text. */
function numberIn(row: Row, name: string): number | null {
  const value = row[name];
  return value === null || value === undefined ? null : Number(value);
}

const sums: readonly Check[] = [
  {
    says: 'Each balance is the sum of its transfers',
    of: 'account',
    find: `select id as account_id, null as id, posted as found, total as expected from
      (select id, posted, (select coalesce(sum(amount), 0) from transfers
        where account_id = accounts.id) as total from accounts) as sums where posted <> total`,
  },
  {
    says: 'Each account holds the sum of its open holds',
    of: 'account',
    find: `select id as account_id, null as id, held as found, total as expected from
      (select id, held, (select coalesce(sum(amount), 0) from holds
        where account_id = accounts.id) as total from accounts) as sums where held <> total`,
  },
  {
    says: 'Each key holds the sum of its open holds',
    of: 'key',
    find: `select null as account_id, key_id as id, held as found, total as expected from
      (select key_id, held, (select coalesce(sum(amount), 0) from holds
        where holds.key_id = days.key_id and counted = 1) as total from
        (select key_id, sum(held) as held from key_days group by key_id) as days) as sums
      where held <> total`,
  },
  {
    says: 'Each key has spent what its transfers took',
    of: 'key',
    find: `select null as account_id, key_id as id, spent as found, total as expected from
      (select key_id, spent, (select coalesce(sum(0 - amount), 0) from transfers
        where transfers.key_id = days.key_id) as total from
        (select key_id, sum(spent) as spent from key_days group by key_id) as days) as sums
      where spent <> total
      union all
      select account_id, key_id, null, sum(0 - amount) from transfers
      where key_id is not null and not exists
        (select 1 from key_days where key_days.key_id = transfers.key_id)
      group by account_id, key_id having sum(amount) <> 0`,
  },
];

const amounts: readonly Check[] = [
  {
    says: 'No hold is below 0',
    of: 'hold',
    find: `select account_id, id, amount as found, null as expected from holds where amount < 0
      union all select id, null, held, null from accounts where held < 0`,
  },
  {
    says: 'No settle adds to a balance',
    of: 'transfer',
    find: `select account_id, id, amount as found, null as expected from transfers
      where kind = 'settle' and amount > 0`,
  },
  {
    says: 'No top-up or refund takes from a balance',
    of: 'transfer',
    find: `select account_id, id, amount as found, null as expected from transfers
      where kind in ('topup', 'refund') and amount < 0`,
  },
  {
    says: 'No more is given back than was paid',
    of: 'transfer',
    find: `select account_id, hold_id as id, sum(amount) as found,
        coalesce((select 0 - amount from transfers as paid
          where paid.id = refunds.hold_id and paid.kind = 'settle'), 0) as expected
      from transfers as refunds where kind = 'refund' group by account_id, hold_id
      having sum(amount) > coalesce((select 0 - amount from transfers as paid
        where paid.id = refunds.hold_id and paid.kind = 'settle'
          and paid.account_id = refunds.account_id), 0)`,
  },
  {
    says: 'Every amount is a whole number of micro-USD',
    of: 'transfer',
    find: `select account_id, id, amount as found, null as expected from transfers
      where amount <> cast(amount as bigint)
      union all select account_id, id, amount, null from holds
      where amount <> cast(amount as bigint)`,
  },
];

const holds: readonly Check[] = [
  {
    says: 'No open hold has been charged',
    of: 'hold',
    find: `select holds.account_id as account_id, holds.id as id, transfers.amount as found,
        null as expected from holds join transfers on transfers.id = holds.id`,
  },
  {
    says: 'Each hold is charged once, under its own id',
    of: 'transfer',
    find: `select account_id, id, amount as found, null as expected from transfers
      where kind = 'settle' and (hold_id is null or hold_id <> id)`,
  },
  {
    says: 'The hold of a job ends with its job',
    of: 'hold',
    find: `select account_id, id, amount as found, null as expected from holds
      where id like 'job:%' and not exists (select 1 from jobs
        where jobs.id = substr(holds.id, 5) and finished_at is null)`,
  },
  {
    says: 'More than was held is charged only as the provider reports it, or for audio',
    of: 'transfer',
    find: `select transfers.account_id as account_id, transfers.id as id, 0 - amount as found,
        held as expected
      from transfers join requests on requests.id = transfers.id
      where kind = 'settle' and 0 - amount > held and transfers.id not like 'job:%'
        and coalesce(reported_cost, 0) < 0 - amount`,
  },
];

const answers: readonly Check[] = [
  {
    says: 'Each answer kept under an idempotency key was charged',
    of: 'idempotency key',
    find: `select account_id, owner as id, null as found, null as expected from idempotency
      where state = 'done' and status = 200 and not exists
        (select 1 from transfers where transfers.id = idempotency.owner)`,
  },
  {
    says: 'No request that failed was charged',
    of: 'request',
    find: `select requests.account_id as account_id, requests.id as id, 0 - amount as found,
        null as expected
      from requests left join transfers on transfers.id = requests.id
      where paid_by is null and error_type is not null and (cost <> 0 or amount is not null)`,
  },
  {
    says: 'The request log names what the ledger took',
    of: 'request',
    find: `select requests.account_id as account_id, requests.id as id, cost as found,
        0 - amount as expected
      from requests join transfers
        on transfers.id = case when paid_by like 'job:%' then paid_by else requests.id end
      where cost <> 0 - amount`,
  },
];

/** `free_providers` may serve at no price; absent when the prices are not known. */
export function allChecks(free_providers: readonly string[] | undefined): readonly Check[] {
  const paid: Check = {
    says: 'Each served answer has its settle, or is free by a rule',
    of: 'request',
    find: isPaid(free_providers),
  };
  return [...sums, ...amounts, ...holds, ...answers, paid];
}
