// The statement behind the version of an account's activity: a few index lookups.
import type { Row, Runner } from '../../store/index.ts';

/** More jobs than a page of them shows. */
const latestJobs = 200;

/**
 * Usage sums grow with every request and with every cost, in whatever order gateways book them; the
 * time of the latest request would miss what is booked late.
 */
export async function readActivityFigures(
  on: Runner,
  accountId: string,
  fromHour: number,
): Promise<Row | undefined> {
  const [row] = await on.run(
    `select usage.requests, usage.failures, usage.cost, accounts.posted, moved.jobs
     from accounts,
       (select sum(requests) as requests, sum(failures) as failures, sum(cost) as cost
        from usage_recent where account_id = $1 and hour >= $2) as usage,
       (select max(updated_at) as jobs from (
          select updated_at from jobs where account_id = $1
          order by created_at desc, id desc limit ${latestJobs}) as latest) as moved
     where accounts.id = $1`,
    [accountId, fromHour],
  );
  return row;
}
