// The totals of the ledger, read in one statement so that they are consistent while money moves.
import type { DebtMovement } from '../core/audit-faults.ts';
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

/** When an answer needs no settle. */
const unsettledRules: readonly string[] = [
  // The answer was given and paid for before, under the same Idempotency-Key.
  `request.paid_by like 'replay:%' and request.cost = 0 and case
        when request.tool = 'transcription' then not exists (select 1 from requests as first
          where first.id = substr(request.paid_by, 8) and first.error_type is not null)
        else exists (select 1 from transfers as first
          where first.id = substr(request.paid_by, 8) and first.kind = 'settle'
            and first.account_id = request.account_id) end`,
  // Its job has not ended, and holds the price until it does.
  `request.paid_by like 'job:%' and request.cost = 0 and exists (select 1 from holds
        where holds.id = request.paid_by and holds.account_id = request.account_id
          and (holds.amount > 0 or :free))`,
  // Its job failed, and a failed job costs nothing.
  `request.paid_by like 'job:%' and request.cost = 0 and exists (select 1 from jobs
        where jobs.id = substr(request.paid_by, 5) and jobs.status = 'failed')`,
  // Its job failed and was deleted since: jobs are kept for some days only.
  `request.paid_by like 'job:%' and request.cost = 0 and not exists (select 1 from jobs
        where jobs.id = substr(request.paid_by, 5))`,
  // The answer came from the cache.
  `request.paid_by = 'cache' and request.cost = 0`,
  // An older version logged it, without the settle that pays for it.
  `request.paid_by is null and (request.cost = 0 or request.tool = 'transcription')`,
];

/** When the settle of an answer may be 0. */
const unpricedRules: readonly string[] = [
  // The provider reported that it cost nothing.
  'request.reported_cost = 0',
  // The answer came from the cache, or from a request that was made at the same time.
  `request.paid_by = 'cache'`,
  // The provider returned no results, or none of the pages.
  'request.delivered = 0',
  // A price was held, and the provider reported no audio length.
  `request.tool = 'transcription' and paid.held > 0`,
  // The provider serves it at no price: without a credential, or by the price file.
  'paid.held = 0 and :free',
  // An older version logged or settled it, without what it delivered.
  'request.paid_by is null or paid.held is null',
];

/** Selects the columns of a `Check`. */
export function findUnpaid(freeProviders: readonly string[] | undefined): string {
  const names = freeProviders?.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  const free = names === undefined ? '1 = 1' : `coalesce(request.provider, '') in (${names})`;
  const any = (rules: readonly string[]) =>
    rules.map((rule) => `(${rule.replaceAll(':free', free)})`).join('\n or ');
  return `select request.account_id as account_id, request.id as id, request.cost as found,
      nullif(0 - paid.amount, 0) as expected
    from requests as request left join transfers as paid on paid.kind = 'settle'
      and paid.account_id = request.account_id
      and paid.id = case when request.paid_by like 'job:%' then request.paid_by else request.id end
    where (request.error_type is null or request.paid_by is not null)
      and ((paid.id is null and not coalesce(${any(unsettledRules)}, 1 = 0))
        or (paid.amount = 0 and not coalesce(${any(unpricedRules)}, 1 = 0)))`;
}
