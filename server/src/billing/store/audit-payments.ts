// The rules that allow a served answer to be free, and the statement that finds free answers which
// no rule allows. `request` is the row of the log, `paid` is its settle, if there is one.

interface FreeRule {
  name: string;
  reason: string;
  when: string;
}

/** Rules for answers without a settle. */
const unsettledRules: readonly FreeRule[] = [
  {
    name: 'replay',
    reason: 'The answer was given and paid for before, under the same Idempotency-Key.',
    when: `request.paid_by like 'replay:%' and request.cost = 0 and case
        when request.tool = 'transcription' then not exists (select 1 from requests as first
          where first.id = substr(request.paid_by, 8) and first.error_type is not null)
        else exists (select 1 from transfers as first
          where first.id = substr(request.paid_by, 8) and first.kind = 'settle'
            and first.account_id = request.account_id) end`,
  },
  {
    name: 'job running',
    reason: 'Its job has not ended, and holds the price until it does.',
    when: `request.paid_by like 'job:%' and request.cost = 0 and exists (select 1 from holds
        where holds.id = request.paid_by and holds.account_id = request.account_id
          and (holds.amount > 0 or :free))`,
  },
  {
    name: 'job failed',
    reason: 'Its job failed, and a failed job costs nothing.',
    when: `request.paid_by like 'job:%' and request.cost = 0 and exists (select 1 from jobs
        where jobs.id = substr(request.paid_by, 5) and jobs.status = 'failed')`,
  },
  {
    name: 'job deleted',
    reason: 'Its job failed and was deleted since: jobs are kept for some days only.',
    when: `request.paid_by like 'job:%' and request.cost = 0 and not exists (select 1 from jobs
        where jobs.id = substr(request.paid_by, 5))`,
  },
  {
    name: 'cached',
    reason: 'The answer came from the cache.',
    when: `request.paid_by = 'cache' and request.cost = 0`,
  },
  {
    name: 'older version',
    reason: 'An older version logged it, without the settle that pays for it.',
    when: `request.paid_by is null and (request.cost = 0 or request.tool = 'transcription')`,
  },
];

/** Rules for answers whose settle is 0. */
const unpricedRules: readonly FreeRule[] = [
  {
    name: 'reported free',
    reason: 'The provider reported that it cost nothing.',
    when: 'request.reported_cost = 0',
  },
  {
    name: 'cached',
    reason: 'The answer came from the cache, or from a request that was made at the same time.',
    when: `request.paid_by = 'cache'`,
  },
  {
    name: 'nothing delivered',
    reason: 'The provider returned no results, or none of the pages.',
    when: 'request.delivered = 0',
  },
  {
    name: 'audio without length',
    reason: 'A price was held, and the provider reported no audio length.',
    when: `request.tool = 'transcription' and paid.held > 0`,
  },
  {
    name: 'no price',
    reason: 'The provider serves it at no price: without a credential, or by the price file.',
    when: 'paid.held = 0 and :free',
  },
  {
    name: 'older version',
    reason: 'An older version logged or settled it, without what it delivered.',
    when: 'request.paid_by is null or paid.held is null',
  },
];

/** Selects the columns of a `Check`. */
export function findUnpaid(freeProviders: readonly string[] | undefined): string {
  const names = freeProviders?.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  const free = names === undefined ? '1 = 1' : `coalesce(request.provider, '') in (${names})`;
  const any = (rules: readonly FreeRule[]) =>
    rules.map(({ when }) => `(${when.replaceAll(':free', free)})`).join('\n or ');
  return `select request.account_id as account_id, request.id as id, request.cost as found,
      nullif(0 - paid.amount, 0) as expected
    from requests as request left join transfers as paid on paid.kind = 'settle'
      and paid.account_id = request.account_id
      and paid.id = case when request.paid_by like 'job:%' then request.paid_by else request.id end
    where (request.error_type is null or request.paid_by is not null)
      and ((paid.id is null and not coalesce(${any(unsettledRules)}, 1 = 0))
        or (paid.amount = 0 and not coalesce(${any(unpricedRules)}, 1 = 0)))`;
}
