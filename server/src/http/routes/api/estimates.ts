// POST /v1/estimates/{tool}: what a request may cost. No provider is called, and nothing is held,
// charged or logged. Rate limits count it like any request.
import type { Estimate } from '@trivium/contract';
import { countUnpaid, type JobPlan, readBalance } from '../../../billing/index.ts';
import type { BillingContext } from '../../../billing/index.ts';
import { checkProviders, checkTool } from '../../../requests/index.ts';
import { usd } from '../../../billing/core/index.ts';
import { readAverageCost } from '../../../reporting/index.ts';
import { readBody } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import type { PaidTool } from '../../serve-paid.ts';
import type { PaidTools } from './tools.ts';

export function estimateRoutes(context: BillingContext, tools: PaidTools): Route[] {
  const estimate = <T>({ name: tool, schema, plan }: PaidTool<T>): Route => ({
    method: 'POST',
    path: `/v1/estimates/${tool}`,
    role: 'caller',
    booked: true,
    handle: async ({ request, request_id, caller }) => {
      checkTool(caller.policy, tool);
      await countUnpaid(context, caller);
      const body = await readBody(request, schema);
      const { calls, provider, maxCost, ...planned } = await plan(body, {
        request_id,
        caller,
        tool,
        started: context.clock.ticks(),
        is_estimate: true,
        seen: { attempts: [] },
      });
      checkProviders(caller.policy, calls);
      const { account_id } = caller;
      const { balance_usd } = await readBalance(context, caller);
      const { hourCost } = planned as Partial<JobPlan>;
      const answer: Estimate = {
        tool,
        provider,
        calls: [...calls],
        max_cost_usd: usd(maxCost),
        held_usd: usd(planned.job?.price.hold ?? maxCost),
        hour_cost_usd: hourCost === undefined ? null : usd(hourCost),
        ...(await readAverageCost(context, { account_id, tool, provider })),
        balance_usd,
      };
      return Response.json(answer);
    },
  });
  return [estimate(tools.search), estimate(tools.extract), estimate(tools.transcription)];
}
