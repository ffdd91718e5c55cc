// The audit's checks of single rows. Each is one statement, so that it compares figures from the
// same moment, and selects the rows that break the rule.
import { orNull, query, reader, type Runner, text, whole } from '../../store/index.ts';
import { longestRequestMs } from '../../platform/time-limits.ts';
import { unheldReason } from '../core/decide.ts';
import { findUnpaid } from './audit.ts';
import { hasTag } from './budgets.ts';

export interface Check {
  /** A sentence. */
  rule: string;
  /** The kind of the rows that it selects. */
  subject: 'account' | 'key' | 'budget' | 'hold' | 'transfer' | 'request' | 'idempotency key';
  /** Selects `account_id`, `id`, and the amounts `found` and `expected` of each faulty row. */
  find: string;
}

const readBreach = reader({
  account_id: orNull(text),
  id: orNull(text),
  found: orNull(whole),
  expected: orNull(whole),
});

/** A row that breaks a rule. */
export type Breach = ReturnType<typeof readBreach>;

/** The maximum number of rows to report for one rule. */
export const maxBreaches = 100;

/** Selects one more row than is reported, to know whether there are more. */
export function findBreaches(on: Runner, { find }: Check): Promise<Breach[]> {
  return query.rows(on, readBreach, `${find} limit ${maxBreaches + 1}`);
}

/** The rows whose sums are compared, and the columns that name them. */
const accounts = { names: 'id as account_id, null as id', from: 'accounts' };
const keys = {
  names: 'null as account_id, key_id as id',
  from: `(select key_id, sum(held) as held, sum(spent) as spent
    from key_days group by key_id) as days`,
};
const budgets = { names: `account_id, tag || '=' || value as id`, from: 'budgets' };

/** Selects each row whose two sums differ. */
function differing({ names, from }: typeof accounts, found: string, expected: string): string {
  return `select account_id, id, found, expected from
    (select ${names}, (${found}) as found, (${expected}) as expected from ${from}) as sums
    where found <> expected`;
}

/** Selects the rows of a table with a forbidden amount. */
function amountsIn(table: string, where: string, found = 'amount'): string {
  return `select account_id, id, ${found} as found, null as expected from ${table} where ${where}`;
}

const sums: readonly Check[] = [
  {
    rule: 'Each balance is the sum of its transfers',
    subject: 'account',
    find: differing(
      accounts,
      'posted',
      'select coalesce(sum(amount), 0) from transfers where account_id = accounts.id',
    ),
  },
  {
    rule: 'Each account holds the sum of its open holds and of what is granted to gateways',
    subject: 'account',
    find: differing(
      accounts,
      'held',
      `(select coalesce(sum(amount), 0) from holds where account_id = accounts.id)
        + (select coalesce(sum(granted - booked), 0) from allowances
          where account_id = accounts.id)`,
    ),
  },
  {
    rule: 'Each key holds the sum of its open holds',
    subject: 'key',
    find: differing(
      keys,
      'held',
      `select coalesce(sum(amount), 0) from holds
        where holds.key_id = days.key_id and counted = 1`,
    ),
  },
  {
    rule: 'The spending of each key is the sum of its transfers',
    subject: 'key',
    find: `${differing(
      keys,
      'spent',
      'select coalesce(sum(0 - amount), 0) from transfers where transfers.key_id = days.key_id',
    )}
      union all
      select account_id, key_id, null, sum(0 - amount) from transfers
      where key_id is not null and not exists
        (select 1 from key_days where key_days.key_id = transfers.key_id)
      group by account_id, key_id having sum(amount) <> 0`,
  },
  {
    rule: 'What each account can owe beyond its holds is what its open jobs can cost beyond them',
    subject: 'account',
    find: differing(
      accounts,
      'select coalesce(sum(exposure), 0) from holds where account_id = accounts.id',
      `select coalesce(sum(exposure), 0) from jobs
        where account_id = accounts.id and finished_at is null`,
    ),
  },
];

const amounts: readonly Check[] = [
  {
    rule: 'Only the hold of an open job can cost more than it holds, and never less',
    subject: 'hold',
    find: amountsIn(
      'holds',
      `exposure < 0 or (exposure > 0 and (id not like 'job:%' or expires_at is not null))`,
      'exposure',
    ),
  },
  {
    rule: 'No hold is below 0',
    subject: 'hold',
    find: `${amountsIn('holds', 'amount < 0')}
      union all select id, null, held, null from accounts where held < 0
      union all select account_id, gateway_id, granted - booked, null from allowances
      where granted < booked`,
  },
  {
    rule: 'No settle adds to a balance',
    subject: 'transfer',
    find: amountsIn('transfers', `kind = 'settle' and amount > 0`),
  },
  {
    rule: 'No top-up or refund takes from a balance',
    subject: 'transfer',
    find: amountsIn('transfers', `kind in ('topup', 'refund') and amount < 0`),
  },
  {
    rule: 'Refunds do not exceed the charge',
    subject: 'transfer',
    find: `select account_id, hold_id as id, sum(amount) as found,
        coalesce((select 0 - amount from transfers as paid
          where paid.id = refunds.hold_id and paid.kind = 'settle'), 0) as expected
      from transfers as refunds where kind = 'refund' group by account_id, hold_id
      having sum(amount) > coalesce((select 0 - amount from transfers as paid
        where paid.id = refunds.hold_id and paid.kind = 'settle'
          and paid.account_id = refunds.account_id), 0)`,
  },
  {
    rule: 'Every amount is a whole number of micro-USD',
    subject: 'transfer',
    find: `${amountsIn('transfers', 'amount <> cast(amount as bigint)')}
      union all ${amountsIn('holds', 'amount <> cast(amount as bigint)')}`,
  },
];

const holds: readonly Check[] = [
  {
    rule: 'No open hold has been charged',
    subject: 'hold',
    find: `select holds.account_id as account_id, holds.id as id, transfers.amount as found,
        null as expected from holds join transfers on transfers.id = holds.id`,
  },
  {
    rule: 'Each hold is charged once, under its own id',
    subject: 'transfer',
    find: amountsIn('transfers', `kind = 'settle' and (hold_id is null or hold_id <> id)`),
  },
  {
    rule: 'The hold of a job ends with its job',
    subject: 'hold',
    find: amountsIn(
      'holds',
      `id like 'job:%' and not exists (select 1 from jobs
        where jobs.id = substr(holds.id, 5) and finished_at is null)`,
    ),
  },
  {
    rule: 'More than was held is charged only as the provider reports it, or for audio',
    subject: 'transfer',
    find: `select transfers.account_id as account_id, transfers.id as id, 0 - amount as found,
        held as expected
      from transfers join requests on requests.id = transfers.id
      where kind = 'settle' and 0 - amount > held and transfers.id not like 'job:%'
        and coalesce(reported_cost, 0) < 0 - amount
        and coalesce(reason, '') <> '${unheldReason}'`,
  },
];

const answers: readonly Check[] = [
  {
    rule: 'Each answer kept under an idempotency key was charged',
    subject: 'idempotency key',
    find: `select account_id, owner as id, null as found, null as expected from idempotency
      where state = 'done' and status = 200 and not exists
        (select 1 from transfers where transfers.id = idempotency.owner)`,
  },
  {
    rule: 'Each answer kept under an idempotency key is found by the API key that sent it',
    subject: 'idempotency key',
    find: `select account_id, key as id, null as found, null as expected from
      (select account_id, key, sent_by as sender from idempotency
        where state = 'done' and expires_at >
          coalesce((select max(created_at) from requests), 0)) as kept
      where (key not like '% %' and sender is null)
        or (key like '% %' and substr(key, 1, length(sender) + 1) <> sender || ' ')`,
  },
  {
    rule: 'No request that failed was charged',
    subject: 'request',
    find: `select requests.account_id as account_id, requests.id as id, 0 - amount as found,
        null as expected
      from requests left join transfers on transfers.id = requests.id
      where paid_by is null and error_type is not null and (cost <> 0 or amount is not null)`,
  },
  {
    rule: 'No answer behind an error of the gateway is charged, unless it is refunded',
    subject: 'request',
    find: `select requests.account_id as account_id, requests.id as id, 0 - paid.amount as found,
        null as expected
      from requests join transfers as paid on paid.id = requests.id and paid.kind = 'settle'
      where status >= 500 and 0 - paid.amount > (select coalesce(sum(amount), 0)
        from transfers as refunds where refunds.hold_id = paid.id and refunds.kind = 'refund')`,
  },
  {
    // Old rows of the log are deleted, and the age of a request counts from its start.
    rule: 'Each charge of a request is in the log',
    subject: 'transfer',
    find: amountsIn(
      'transfers',
      `kind = 'settle' and id not like 'job:%'
        and created_at > (select min(requests.created_at) + ${2 * longestRequestMs} from requests)
        and not exists (select 1 from requests where requests.id = transfers.id)`,
      '0 - amount',
    ),
  },
  {
    rule: 'The cost in the request log is what the ledger charged',
    subject: 'request',
    find: `select requests.account_id as account_id, requests.id as id, cost as found,
        0 - amount as expected
      from requests join transfers
        on transfers.id = case when paid_by like 'job:%' then paid_by else requests.id end
      where cost <> 0 - amount`,
  },
];

/** `freeProviders` may serve for free. Absent if the prices are not known. */
export function allChecks(freeProviders: readonly string[] | undefined): readonly Check[] {
  const paid: Check = {
    rule: 'Each served answer has a settle, or is free by a rule',
    subject: 'request',
    find: findUnpaid(freeProviders),
  };
  return [...sums, ...budgetSums, ...amounts, ...holds, ...answers, paid];
}

/** Like `differing`, for sums of a budget since the first charge. If rows were deleted, the found sum may be smaller. */
function differingSince(found: string, expected: string): string {
  return `select account_id, id, found, expected from
    (select ${budgets.names}, (${found}) as found, (${expected}) as expected,
      (${isWhole}) as is_whole
      from budgets) as sums where found > expected or (found <> expected and is_whole = 1)`;
}

const ofBudget = (table: string) =>
  `from ${table} as one where one.account_id = budgets.account_id`;

const named = 'one.tag = budgets.tag and one.value = budgets.value';

const tagged = hasTag('one');

/** The request of a charge may have begun up to this many days before it. */
const longestRequestDays = 7;

const firstCharge = `(select min(one.created_at) ${ofBudget('transfers')} and ${tagged})`;
const keptFrom = `coalesce(
  (select max(cast(value as bigint)) from store_facts where name = 'tags_kept_from'), 0)`;

/** True if only older rows were deleted, or the budget is older than the use of its tag. */
const isWhole = `case when ${keptFrom} = 0 or budgets.created_at <= ${firstCharge}
  or ${firstCharge} >= (${keptFrom} + ${longestRequestDays}) * 86400000 then 1 else 0 end`;

const charged = 'select coalesce(sum(0 - one.amount), 0)';

const budgetSums: readonly Check[] = [
  {
    rule: 'Each budget holds the sum of the open holds with its tag',
    subject: 'budget',
    find: differing(
      budgets,
      `select coalesce(sum(one.held), 0) ${ofBudget('tag_days')} and ${named}`,
      `select coalesce(sum(one.amount), 0) ${ofBudget('holds')} and ${tagged}`,
    ),
  },
  {
    rule: 'The spending of each budget is the sum of the transfers with its tag',
    subject: 'budget',
    find: differingSince(
      `select coalesce(sum(one.spent), 0) ${ofBudget('tag_days')} and ${named}`,
      `${charged} ${ofBudget('transfers')} and ${tagged}`,
    ),
  },
  {
    rule: 'The usage of each tag with a budget is what was charged with it',
    subject: 'budget',
    find: differingSince(
      `select coalesce(sum(one.cost), 0) ${ofBudget('usage_tags')} and ${named}`,
      `${charged} ${ofBudget('transfers')} and one.kind = 'settle' and ${tagged}`,
    ),
  },
];
