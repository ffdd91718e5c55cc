// The one path of every request that costs money, whichever API it came through: it is checked, run
// once under its idempotency key, served, counted and logged.
import {
  addKnownFields,
  ContentMode,
  issuesOf,
  providerIds,
  strictestMode,
} from '@trivium/contract';
import { paidHeaderNames, paidHeaders, type PaidHeaderName } from '@trivium/contract/headers';
import type { ToolName } from '@trivium/contract';
import { z } from 'zod';
import { type BillingContext, runPaid, type Tool } from '../billing/index.ts';
import {
  type Caller,
  checkProviders,
  checkTool,
  claimKey,
  countServed,
  freeKey,
  isPolicyRefusal,
  logFailure,
  noteAsked,
  replay,
  type CurrentRequest,
  type Served,
} from '../requests/index.ts';
import { invalid, parseJson, readText, validate } from './middleware/body.ts';

/** A tool with everything needed to serve it. */
export interface PaidTool<T> extends Tool<T> {
  name: ToolName;
  /** Part of what identifies a request under its idempotency key. */
  path: string;
  context: BillingContext;
  schema: z.ZodType<T>;
  headers: z.ZodType<KnownHeaders>;
  /** The maximum age of a cached answer by default. Absent for a tool without a cache. */
  cacheSeconds?: number;
}

/** A paid request as its caller sent it. Nothing has been checked yet. */
export interface PaidInput {
  request_id: string;
  /** The request in the format of our API, or the HTTP request with that body. */
  body: Request | object;
  /** The headers of our API, by name. */
  headers: PaidHeaders;
  /** Aborted when the caller disconnects. Absent if that makes no difference. */
  signal?: AbortSignal;
  /** What an idempotency key compares instead of the body. */
  comparedAs?: object;
  /** The answer is stored even if it is long, because the client reads it in a later request. */
  isLong?: boolean;
  wants?: CurrentRequest['wants'];
}

const webhookHeader = 'x-trivium-webhook';
const contentHeader = 'x-trivium-content';
const tokensHeader = 'x-trivium-max-tokens';
type PaidHeaders = Partial<Record<PaidHeaderName, string | undefined>>;
type KnownHeaders = {
  [Name in PaidHeaderName]?: z.output<(typeof paidHeaders)[Name]['schema']> | undefined;
};

/** The headers of a tool. `webhookUrl` is the schema of x-trivium-webhook, if it takes that. */
export function headersOf(tool: ToolName, webhookUrl?: z.ZodType<string>): z.ZodType<KnownHeaders> {
  const schemas = paidHeaderNames.map((name) => {
    const { schema, tools, ...others } = paidHeaders[name];
    const own = name === webhookHeader && webhookUrl ? webhookUrl : schema;
    const isTaken = (tools as readonly ToolName[]).includes(tool);
    return [name, (isTaken || !('otherwise' in others) ? own : others.otherwise).optional()];
  });
  return z.object(Object.fromEntries(schemas));
}

export function readPaidHeaders(headers: Headers): PaidHeaders {
  const given: PaidHeaders = {};
  for (const name of paidHeaderNames) given[name] = headers.get(name) ?? undefined;
  return given;
}

/** The content mode that a request asks for, if it is not a paid request. */
export function readContentMode(headers: Headers): ContentMode | undefined {
  const given = { [contentHeader]: headers.get(contentHeader) ?? undefined };
  return validate(ContentHeader, given)[contentHeader];
}

const ContentHeader = z.object({ [contentHeader]: ContentMode.optional() });

/** Throws if nothing is served. Such a request is logged as well. */
export async function servePaid<T>(
  tool: PaidTool<T>,
  caller: Caller,
  input: PaidInput,
): Promise<Served> {
  const { context, name } = tool;
  const { signal } = input;
  const room = context.bytes?.open(caller.account_id);
  const currentRequest: CurrentRequest = {
    request_id: input.request_id,
    caller,
    tool: name,
    started: context.clock.ticks(),
    ...(signal ? { signal, connection: signal } : {}),
    ...(room ? { room } : {}),
    ...(input.wants ? { wants: input.wants } : {}),
    ...(input.isLong ? { long_answer: true } : {}),
    seen: { attempts: [] },
  };
  try {
    checkTool(caller.policy, name);
    const text = input.body instanceof Request ? await readText(input.body) : undefined;
    const body = text === undefined ? input.body : parseJson(text);
    noteAsked(currentRequest, body, text?.length);
    const { request, key, cache } = check(tool, input.headers, body, currentRequest);
    const seconds = cache === undefined ? tool.cacheSeconds : Number(cache);
    if (seconds !== undefined) currentRequest.cache_seconds = seconds;
    // The same request with another content mode or token budget has another answer.
    const { content } = currentRequest;
    const checked = content ? ` ${content.mode ?? ''} ${content.max_tokens ?? ''}` : '';
    const path = tool.path + checked;
    const compared = { path, body: input.comparedAs ?? body };
    const claimed =
      key === undefined ? undefined : await claimKey(context, currentRequest, { key, ...compared });
    if (claimed?.kind === 'replay') {
      const refusal = await policyRefusal(tool, request, currentRequest);
      return await replay(context, currentRequest, claimed, refusal);
    }
    const running = claimed?.currentRequest ?? currentRequest;
    try {
      const served = await runPaid(context, tool, request, running);
      context.answers?.add(running, served);
      return served;
    } catch (error) {
      if (claimed) await freeKey(context, claimed.claim);
      throw error;
    }
  } catch (thrown) {
    const error = context.refusals ? await context.refusals.count(currentRequest, thrown) : thrown;
    logFailure(context, currentRequest, error);
    throw error;
  } finally {
    room?.close();
    countServed(context, currentRequest);
  }
}

/** The error if the caller's policy does not allow a request that was served before. */
async function policyRefusal<T>(
  tool: PaidTool<T>,
  request: T,
  currentRequest: CurrentRequest,
): Promise<Error | undefined> {
  const { policy } = currentRequest.caller;
  if (!policy) return undefined;
  const { provider } = request as { provider?: unknown };
  try {
    checkProviders(
      policy,
      providerIds.filter((id) => id === provider),
    );
    const estimate = { ...currentRequest, is_estimate: true as const, seen: { attempts: [] } };
    const { calls } = await tool.plan(request, estimate);
    checkProviders(policy, calls);
    return undefined;
  } catch (error) {
    // Other refusals, such as for a provider without a credential, do not affect a replay.
    return isPolicyRefusal(error) ? error : undefined;
  }
}

/** Reports the issues of body and headers together, when the log knows the tags. */
function check<T>(
  { schema, headers: headerSchema }: PaidTool<T>,
  given: PaidHeaders,
  body: unknown,
  currentRequest: CurrentRequest,
): { request: T; key: string | undefined; cache: string | undefined } {
  const request = schema.safeParse(body, addKnownFields);
  const headers = headerSchema.safeParse(given);
  const { 'x-max-cost-usd': maxCostUsd, 'x-trivium-tags': tags } = headers.data ?? {};
  if (maxCostUsd !== undefined) currentRequest.max_cost_usd = maxCostUsd;
  if (tags !== undefined) currentRequest.tags = tags;
  const webhook = headers.data?.[webhookHeader];
  if (webhook !== undefined) currentRequest.webhook = webhook;
  const { [contentHeader]: asked, [tokensHeader]: tokens } = headers.data ?? {};
  const mode = strictestMode(asked, currentRequest.caller.policy?.content);
  if (mode !== undefined || tokens !== undefined) {
    currentRequest.content = {
      ...(mode === undefined ? {} : { mode }),
      ...(tokens === undefined ? {} : { max_tokens: Number(tokens) }),
    };
  }
  if (request.success && headers.success) {
    const { 'idempotency-key': key, 'x-trivium-cache': cache } = headers.data;
    return { request: request.data, key, cache };
  }
  throw invalid([
    ...(request.success ? [] : issuesOf(request.error)),
    ...(headers.success ? [] : issuesOf(headers.error)),
  ]);
}
