// A POST route that costs money: reads its headers, applies its idempotency key, and logs it.
import { IdempotencyKey, issuesOf, MaxCostUsd } from '@trivium/contract';
import type { ToolName } from '@trivium/contract';
import { z } from 'zod';
import type { RequestContext } from '../../billing/request-context.ts';
import type { BillingContext } from '../../billing/context.ts';
import { runOnce } from '../../billing/idempotency.ts';
import { checkTool } from '../../billing/policy-checks.ts';
import { countServed, logFailure } from '../../billing/request-log.ts';
import { invalid, parseJson, readText } from './body.ts';
import type { Served } from '../../billing/request-context.ts';
import type { Route } from '../route.ts';
import { jsonText } from '../json-text.ts';

interface PaidPost<T> {
  path: string;
  tool: ToolName;
  schema: z.ZodType<T>;
  serve: (body: T, requestContext: RequestContext, request: Request) => Promise<Served>;
}

const PostHeaders = z.object({
  'idempotency-key': IdempotencyKey.optional(),
  'x-max-cost-usd': MaxCostUsd.optional(),
});

export function paidPost<T>(
  context: BillingContext,
  { path, tool, schema, serve }: PaidPost<T>,
): Route {
  return {
    method: 'POST',
    path,
    handle: async ({ request, request_id, caller }) => {
      const { signal } = request;
      const started = context.clock.ticks();
      const hasLeft = () => signal.aborted;
      const requestContext: RequestContext = {
        request_id,
        caller,
        tool,
        started,
        signal,
        hasLeft,
        seen: {},
      };
      try {
        checkTool(caller.policy, tool);
        const text = await readText(request);
        const body = parseJson(text);
        const { input, headers } = check(schema, body, request.headers);
        const { 'idempotency-key': key, 'x-max-cost-usd': maxCostUsd } = headers;
        if (maxCostUsd !== undefined) requestContext.max_cost_usd = maxCostUsd;
        const served = await runOnce(context, requestContext, { key, path, body }, (running) =>
          serve(input, running, request),
        );
        return jsonText(served.text, served.status, served.headers);
      } catch (error) {
        logFailure(context, requestContext, error);
        throw error;
      } finally {
        countServed(context, requestContext);
      }
    },
  };
}

/** Reports the issues of the body and the headers together. */
function check<T>(schema: z.ZodType<T>, body: unknown, headers: Headers) {
  const input = schema.safeParse(body);
  const postHeaders = PostHeaders.safeParse({
    'idempotency-key': headers.get('idempotency-key') ?? undefined,
    'x-max-cost-usd': headers.get('x-max-cost-usd') ?? undefined,
  });
  if (input.success && postHeaders.success) {
    return { input: input.data, headers: postHeaders.data };
  }
  throw invalid([
    ...(input.success ? [] : issuesOf(input.error)),
    ...(postHeaders.success ? [] : issuesOf(postHeaders.error)),
  ]);
}
