// Every POST that costs money enters here: its headers, its idempotency key and its row in the log.
import { IdempotencyKey, issuesOf, MaxCostUsd } from '@trivium/contract';
import type { ToolName } from '@trivium/contract';
import { z } from 'zod';
import type { Served } from '../services/charge.ts';
import type { Asking, House } from '../services/house.ts';
import { runOnce } from '../services/idempotency.ts';
import { countServed, logFailure } from '../services/log-request.ts';
import type { Route } from './app.ts';
import { invalid, parseJson, readText } from './body.ts';

export interface PaidPost<T> {
  path: string;
  tool: ToolName;
  schema: z.ZodType<T>;
  serve: (asked: T, asking: Asking, request: Request) => Promise<Served>;
}

const PostHeaders = z.object({
  'idempotency-key': IdempotencyKey.optional(),
  'x-max-cost-usd': MaxCostUsd.optional(),
});

export function paidPost<T>(house: House, { path, tool, schema, serve }: PaidPost<T>): Route {
  return {
    method: 'POST',
    path,
    handle: async ({ request, request_id, caller }) => {
      const { signal } = request;
      const started = house.clock.ticks();
      const hasLeft = () => signal.aborted;
      const asking: Asking = { request_id, caller, tool, started, signal, hasLeft, seen: {} };
      try {
        const text = await readText(request);
        const body = parseJson(text);
        const { asked, headers } = check(schema, body, request.headers);
        const { 'idempotency-key': key, 'x-max-cost-usd': max_cost_usd } = headers;
        if (max_cost_usd !== undefined) asking.max_cost_usd = max_cost_usd;
        const served = await runOnce(house, asking, { key, path, body }, (running) =>
          serve(asked, running, request),
        );
        return new Response(served.text, {
          status: served.status,
          headers: { 'content-type': 'application/json', ...served.headers },
        });
      } catch (error) {
        logFailure(house, asking, error);
        throw error;
      } finally {
        countServed(house, asking);
      }
    },
  };
}

/** The faults of body and headers are told together. */
function check<T>(schema: z.ZodType<T>, body: unknown, headers: Headers) {
  const asked = schema.safeParse(body);
  const head = PostHeaders.safeParse({
    'idempotency-key': headers.get('idempotency-key') ?? undefined,
    'x-max-cost-usd': headers.get('x-max-cost-usd') ?? undefined,
  });
  if (asked.success && head.success) return { asked: asked.data, headers: head.data };
  throw invalid([
    ...(asked.success ? [] : issuesOf(asked.error)),
    ...(head.success ? [] : issuesOf(head.error)),
  ]);
}
