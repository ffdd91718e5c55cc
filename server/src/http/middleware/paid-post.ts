// A POST route that costs money: reads its headers, applies its idempotency key, and logs it.
import {
  CacheSeconds,
  IdempotencyKey,
  issuesOf,
  MaxCostUsd,
  providerIds,
  Tags,
} from '@trivium/contract';
import type { ProviderId, ToolName } from '@trivium/contract';
import { z } from 'zod';
import type { RequestContext } from '../../billing/request-context.ts';
import type { BillingContext } from '../../billing/context.ts';
import { askedIn } from '../../billing/core/asked.ts';
import { runOnce } from '../../billing/idempotency.ts';
import { checkProviders, checkTool, isPolicyRefusal } from '../../billing/policy-checks.ts';
import { countServed, logFailure } from '../../billing/request-log.ts';
import { storesLongAnswer } from './long-answers.ts';
import { comparedAs, comparedText } from './compared-as.ts';
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
  /** How old a cached answer may be by default; absent for a tool without a cache. */
  cacheSeconds?: number;
  serve: (body: T, requestContext: RequestContext, request: Request) => Promise<Served>;
  /** The providers that it would call; throws when it would be refused. Nothing is called. */
  calls: (body: T, requestContext: RequestContext) => readonly ProviderId[];
}

const PostHeaders = z.object({
  'idempotency-key': IdempotencyKey.optional(),
  'x-max-cost-usd': MaxCostUsd.optional(),
  'x-trivium-tags': Tags.optional(),
  'x-trivium-cache': CacheSeconds.optional(),
});

const PostHeadersWithoutCache = PostHeaders.extend({
  'x-trivium-cache': z
    .literal('0', { error: 'Answers of this tool are not cached. Leave it out, or send 0.' })
    .optional(),
});

const webhookHeader = 'x-trivium-webhook';
/** A header that has no effect would be dropped in silence. */
const noWebhook = z.undefined({ error: 'Only a transcription sends events. Leave it out.' });
type KnownHeaders = z.infer<typeof PostHeaders> & { [webhookHeader]?: string | undefined };

export function paidPost<T>(
  context: BillingContext,
  { path, tool, schema, cacheSeconds, webhookUrl, serve, calls }: PaidPost<T>,
): Route {
  const cached = cacheSeconds === undefined ? PostHeadersWithoutCache : PostHeaders;
  const postHeaders: z.ZodType<KnownHeaders> = cached.extend({
    [webhookHeader]: webhookUrl ? webhookUrl.optional() : noWebhook.optional(),
  });
  return {
    method: 'POST',
    path,
    handle: async ({ request, request_id, caller }) => {
      const { signal } = request;
      const room = context.bytes?.open(caller.account_id);
      const started = context.clock.ticks();
      const hasLeft = () => signal.aborted;
      const requestContext: RequestContext = {
        request_id,
        caller,
        tool,
        started,
        signal,
        hasLeft,
        ...(room ? { room } : {}),
        seen: { attempts: [] },
      };
      try {
        checkTool(caller.policy, tool);
        const text = await readText(request);
        const body = parseJson(text);
        requestContext.seen.asked = askedIn(tool, body);
        const { input, key, cache } = check(schema, postHeaders, request.headers, {
          body,
          requestContext,
        });
        const seconds = cache === undefined ? cacheSeconds : Number(cache);
        if (seconds !== undefined) requestContext.cache_seconds = seconds;
        if (key !== undefined && storesLongAnswer(request)) requestContext.long_answer = true;
        const keyed = {
          key,
          path,
          body: comparedAs(request) ?? body,
          text: comparedText(request) ?? text,
          refuse: () => refuseByPolicy(requestContext, input, calls),
        };
        const served = await runOnce(context, requestContext, keyed, (running) =>
          serve(input, running, request),
        );
        return jsonText(served.text, served.status, served.headers, caller.account_id);
      } catch (thrown) {
        const error = context.refusals ? await context.refusals.count(caller, thrown) : thrown;
        logFailure(context, requestContext, error);
        throw error;
      } finally {
        room?.close();
        countServed(context, requestContext);
      }
    },
  };
}

/** Throws only where the policy of the caller does not allow the request. */
function refuseByPolicy<T>(
  requestContext: RequestContext,
  input: T,
  calls: PaidPost<T>['calls'],
): void {
  const { policy } = requestContext.caller;
  const { provider } = input as { provider?: unknown };
  checkProviders(
    policy,
    providerIds.filter((id) => id === provider),
  );
  try {
    checkProviders(policy, calls(input, { ...requestContext, seen: { attempts: [] } }));
  } catch (error) {
    // Other refusals, such as that of a provider without a credential, do not concern a replay.
    if (isPolicyRefusal(error)) throw error;
  }
}

/**
 * Reports the issues of the body and the headers together. A request with an invalid body is logged
 * with its tags as well.
 */
function check<T>(
  schema: z.ZodType<T>,
  headerSchema: z.ZodType<KnownHeaders>,
  headers: Headers,
  { body, requestContext }: { body: unknown; requestContext: RequestContext },
) {
  const input = schema.safeParse(body);
  const postHeaders = headerSchema.safeParse({
    'idempotency-key': headers.get('idempotency-key') ?? undefined,
    'x-max-cost-usd': headers.get('x-max-cost-usd') ?? undefined,
    'x-trivium-cache': headers.get('x-trivium-cache') ?? undefined,
    'x-trivium-tags': headers.get('x-trivium-tags') ?? undefined,
    [webhookHeader]: headers.get(webhookHeader) ?? undefined,
  });
  const { 'x-max-cost-usd': maxCostUsd, 'x-trivium-tags': tags } = postHeaders.data ?? {};
  if (maxCostUsd !== undefined) requestContext.max_cost_usd = maxCostUsd;
  if (tags !== undefined) requestContext.tags = tags;
  const webhook = postHeaders.data?.[webhookHeader];
  if (webhook !== undefined) requestContext.webhook = webhook;
  if (input.success && postHeaders.success) {
    const { 'idempotency-key': key, 'x-trivium-cache': cache } = postHeaders.data;
    return { input: input.data, key, cache };
  }
  throw invalid([
    ...(input.success ? [] : issuesOf(input.error)),
    ...(postHeaders.success ? [] : issuesOf(postHeaders.error)),
  ]);
}
