// POST /v1/estimates/{tool}: what a request may cost. No provider is called, and nothing is held,
// charged or logged. Rate limits count it like any request.
import type { Estimate, ProviderId, ToolName } from '@trivium/contract';
import type { z } from 'zod';
import { type BalanceContext, countUnpaid, readBalance } from '../../../billing/index.ts';
import { checkProviders, checkTool, type RequestContext } from '../../../requests/index.ts';
import { usd } from '../../../billing/core/index.ts';
import { prepareExtract } from '../../../extract/index.ts';
import { readAverageCost } from '../../../reporting/index.ts';
import { prepareSearch, type SearchContext } from '../../../search/index.ts';
import { estimateTranscription, type JobContext } from '../../../transcription/index.ts';
import { readBody } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import type { PaidTools } from './tools.ts';

interface Priced {
  provider: string;
  calls: readonly ProviderId[];
  maxCost: number;
  /** The amount to hold. If absent, the maximum is held. */
  held?: number;
  hourCost?: number;
}

export function estimateRoutes(
  context: SearchContext & BalanceContext,
  jobs: JobContext,
  tools: PaidTools,
): Route[] {
  const estimate = <T>(
    tool: ToolName,
    schema: z.ZodType<T>,
    price: (request: T, requestContext: RequestContext) => Priced | Promise<Priced>,
  ): Route => ({
    method: 'POST',
    path: `/v1/estimates/${tool}`,
    handle: async ({ request, request_id, caller }) => {
      checkTool(caller.policy, tool);
      await countUnpaid(context, caller);
      const body = await readBody(request, schema);
      const started = context.clock.ticks();
      const seen = { attempts: [] };
      const asked = { request_id, caller, tool, started, seen };
      const { provider, calls, maxCost, held = maxCost, hourCost } = await price(body, asked);
      checkProviders(caller.policy, calls);
      const { account_id } = caller;
      const { balance_usd } = await readBalance(context, caller);
      const answer: Estimate = {
        tool,
        provider,
        calls: [...calls],
        max_cost_usd: usd(maxCost),
        held_usd: usd(held),
        hour_cost_usd: hourCost === undefined ? null : usd(hourCost),
        ...(await readAverageCost(context, { account_id, tool, provider })),
        balance_usd,
      };
      return Response.json(answer);
    },
  });
  return [
    estimate('search', tools.search.schema, (body, asked) => prepareSearch(context, body, asked)),
    estimate('extract', tools.extract.schema, (body, asked) =>
      prepareExtract(context, body, asked),
    ),
    estimate('transcription', tools.transcription.schema, async (body, asked) => {
      const priced = await estimateTranscription(jobs, asked, body);
      return { ...priced, calls: [priced.provider] };
    }),
  ];
}
