// What is free: the balance, what a request may cost, feedback about results, and what the caller's
// account, or only its key, has used.
import {
  type Estimate,
  FeedbackRequest,
  type FeedbackResponse,
  type JobSummary,
  OwnJobQuery,
  OwnUsageQuery,
  type StoredUse,
} from '@trivium/contract';
import { usd } from '../../../billing/core/index.ts';
import { type JobPlan, countUnpaid, readBalance } from '../../../billing/index.ts';
import { giveFeedback } from '../../../quality/index.ts';
import {
  type Caller,
  checkProviders,
  checkTool,
  readAverageCost,
  readOwnUsage,
  totalOf,
} from '../../../requests/index.ts';
import { readOwnJobs } from '../../../transcription/index.ts';
import type { HttpContext } from '../../context.ts';
import { csvOf, prefersCsv, usageCsv, varies } from '../../csv.ts';
import { readBody, validate } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import type { PaidTool } from '../../serve-paid.ts';
import { callerRoute } from '../rows.ts';

export function freeRoutes(context: HttpContext): Route[] {
  const { search, extract, transcription } = context.tools;
  const booked = { booked: true } as const;
  const report = { report: true, booked: true } as const;
  return [
    callerRoute('GET', '/v1/balance', {}, ({ caller }) => readBalance(context, caller)),
    estimateRoute(context, search),
    estimateRoute(context, extract),
    estimateRoute(context, transcription),
    callerRoute('POST', '/v1/feedback', booked, async ({ request, caller }) =>
      takeFeedback(context, caller, await readBody(request, FeedbackRequest)),
    ),
    callerRoute('GET', '/v1/usage', report, async ({ request, query, caller }) => {
      const wanted = validate(OwnUsageQuery, query);
      const usage = await readOwnUsage(context, caller, wanted);
      if (prefersCsv(request, wanted.format)) return await usageCsv(context, usage, wanted);
      const sums = await context.stored.read(caller.account_id);
      const maxBytes = context.stored.maxBytes(caller);
      const stored: StoredUse = { bytes: totalOf(sums), max_bytes: maxBytes, ...sums };
      return Response.json({ ...usage, stored }, { headers: varies });
    }),
    callerRoute('GET', '/v1/jobs', report, async ({ request, query, caller }) => {
      const page = await readOwnJobs(context, caller, validate(OwnJobQuery, query));
      if (!prefersCsv(request)) return Response.json(page, { headers: varies });
      const { jobs, next_cursor } = page;
      const cursor = next_cursor === null ? {} : { 'x-next-cursor': next_cursor };
      return csvOf([jobColumns, ...jobs.map(jobCells)], cursor);
    }),
  ];
}

/** No provider is called, and nothing is held, charged or logged. Rate limits count it. */
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

export async function takeFeedback(
  context: HttpContext,
  caller: Caller,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  checkTool(caller.policy, 'search');
  await countUnpaid(context, caller);
  return giveFeedback(context, caller, request);
}

const jobColumns = [
  ...['id', 'status', 'provider', 'model', 'attempt_status', 'error_type', 'cost_usd'],
  ...['created_at', 'updated_at', 'finished_at'],
] as const;

function jobCells(job: JobSummary): (string | number | null)[] {
  const cells = { ...job, error_type: job.error?.type ?? null };
  return jobColumns.map((name) => cells[name]);
}
