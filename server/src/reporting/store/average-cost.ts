// What the successful requests of an account cost, by tool and provider.
import type { Runner } from '../../store/index.ts';

interface CostSum {
  requests: number;
  /** In micro-USD. */
  cost: number;
}

/** Among the newest requests of the account, so that a long log costs no more than a short one. */
export async function sumCosts(
  on: Runner,
  of: { account_id: string; tool: string; provider: string; newest: number },
): Promise<CostSum> {
  const [row] = await on.run(
    `select count(*) as requests, coalesce(sum(cost), 0) as cost from (
       select tool, provider, status, cost from requests where account_id = $1
       order by created_at desc, id desc limit $2) as latest
     where tool = $3 and provider = $4 and status < 300 and cost > 0`,
    [of.account_id, of.newest, of.tool, of.provider],
  );
  return { requests: Number(row?.['requests'] ?? 0), cost: Number(row?.['cost'] ?? 0) };
}
