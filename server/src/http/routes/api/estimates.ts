// POST /v1/estimates/{tool}: what a request may cost. No provider is called, and nothing is held,
// charged or logged. Rate limits count it like any request.
import type { Estimate } from '@trivium/contract';
import { countUnpaid, type JobPlan, readBalance } from '../../../billing/index.ts';
import { checkProviders, checkTool } from '../../../requests/index.ts';
import { usd } from '../../../billing/core/index.ts';
import { readAverageCost } from '../../../reporting/index.ts';
import type { HttpContext } from '../../context.ts';
import { readBody } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import type { PaidTool } from '../../serve-paid.ts';
import { callerRoute } from '../rows.ts';

export function estimateRoutes(context: HttpContext): Route[] {
  const { search, extract, transcription } = context.tools;
  return [
    estimateRoute(context, search),
    estimateRoute(context, extract),
    estimateRoute(context, transcription),
  ];
}

function estimateRoute<T>(context: HttpContext, { name: tool, schema, plan }: PaidTool<T>): Route {
  const path = `/v1/estimates/${tool}`;
  return callerRoute('POST', path, { booked: true }, async ({ request, request_id, caller }) => {
    checkTool(caller.policy, tool);
    await countUnpaid(context, caller);
    const body = await readBody(request, schema);
    const { calls, provider, maxCost, ...planned } = await plan(body, {
      ...{ request_id, caller, tool, started: context.clock.ticks() },
      is_estimate: true,
      seen: { attempts: [] },
    });
    checkProviders(caller.policy, calls);
    const { account_id } = caller;
    const { balance_usd } = await readBalance(context, caller);
    const { hourCost } = planned as Partial<JobPlan>;
    return {
      tool,
      provider,
      calls: [...calls],
      max_cost_usd: usd(maxCost),
      held_usd: usd(planned.job?.price.hold ?? maxCost),
      hour_cost_usd: hourCost === undefined ? null : usd(hourCost),
      ...(await readAverageCost(context, { account_id, tool, provider })),
      balance_usd,
    } satisfies Estimate;
  });
}
