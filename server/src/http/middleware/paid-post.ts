// A POST route that costs money: reads its headers, applies its idempotency key, and logs it.
import { IdempotencyKey, issuesOf, MaxCostUsd } from '@trivium/contract';
import type { ToolName } from '@trivium/contract';
import { z } from 'zod';
import type { RequestContext } from '../../billing/request-context.ts';
import type { BillingContext } from '../../billing/context.ts';
import { runOnce } from '../../billing/idempotency.ts';
import { countServed, logFailure } from '../../billing/request-log.ts';
import { invalid, parseJson, readText } from './body.ts';
import type { Served } from '../../billing/request-context.ts';
import type { Route } from '../route.ts';
import { jsonText } from '../json-text.ts';

interface PaidPost<T> {
  path: string;
  tool: ToolName;
  schema: z.ZodType<T>;
  /** The address in x-trivium-webhook, on the routes that take one. */
  webhookUrl?: z.ZodType<string>;
  serve: (body: T, requestContext: RequestContext, request: Request) => Promise<Served>;
}

const PostHeaders = z.object({
  'idempotency-key': IdempotencyKey.optional(),
  'x-max-cost-usd': MaxCostUsd.optional(),
});

const webhookHeader = 'x-trivium-webhook';
type KnownHeaders = z.infer<typeof PostHeaders> & { [webhookHeader]?: string | undefined };

export function paidPost<T>(
  context: BillingContext,
  { path, tool, schema, webhookUrl, serve }: PaidPost<T>,
): Route {
  const Headers = webhookUrl
    ? PostHeaders.extend({ [webhookHeader]: webhookUrl.optional() })
    : PostHeaders;
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
        const text = await readText(request);
        const body = parseJson(text);
        const { input, headers } = check(schema, body, Headers, request.headers);
        const { 'idempotency-key': key, 'x-max-cost-usd': maxCostUsd } = headers;
        if (maxCostUsd !== undefined) requestContext.max_cost_usd = maxCostUsd;
        const webhook = webhookUrl && headers[webhookHeader];
        if (webhook !== undefined) requestContext.webhook = webhook;
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
function check<T>(
  schema: z.ZodType<T>,
  body: unknown,
  known: z.ZodType<KnownHeaders>,
  headers: Headers,
) {
  const input = schema.safeParse(body);
  const postHeaders = known.safeParse({
    'idempotency-key': headers.get('idempotency-key') ?? undefined,
    'x-max-cost-usd': headers.get('x-max-cost-usd') ?? undefined,
    ...(known === PostHeaders ? {} : { [webhookHeader]: headers.get(webhookHeader) ?? undefined }),
  });
  if (input.success && postHeaders.success) {
    return { input: input.data, headers: postHeaders.data };
  }
  throw invalid([
    ...(input.success ? [] : issuesOf(input.error)),
    ...(postHeaders.success ? [] : issuesOf(postHeaders.error)),
  ]);
}
