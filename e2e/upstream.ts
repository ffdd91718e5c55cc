// An upstream under the control of the test: records requests and returns the given answers.
import { waitFor } from './wait-for.ts';

export type Received = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
};

export type Upstream = AsyncDisposable & {
  url: string;
  /** All received requests, oldest first. */
  received: Received[];
  /** Waits until it has received this many. */
  receives: (count: number, limitMs?: number) => Promise<void>;
  /** The settings of a gateway whose only provider is this upstream, in place of engine_a. */
  env: Record<string, string>;
};

export const upstreamKey = 'upstream-credential-4711';

export function startUpstream(
  answer: (request: Received) => Response | Promise<Response>,
): Upstream {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // The gateway may let an answer wait.
    idleTimeout: 120,
    fetch: async (request) => {
      const { method, headers } = request;
      const { pathname: path, searchParams: query } = new URL(request.url);
      const body = (await request.json().catch(() => null)) as unknown;
      const one = { method, path, query, headers, body };
      received.push(one);
      return answer(one);
    },
  });
  const url = server.url.origin;
  return {
    url,
    received,
    receives: async (count, limitMs) => {
      const what = `the upstream receives ${count} requests`;
      const limit = limitMs === undefined ? {} : { limitMs };
      await waitFor(() => received.length, { what, ...limit, until: (now) => now >= count });
    },
    env: { TRIVIUM_SANDBOX: 'off', EXA_API_KEY: upstreamKey, EXA_BASE_URL: url },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A search answer in the format of the vendor of engine_a. */
export function exaAnswer(results: readonly object[], costUsd = 0.007): Response {
  return Response.json({
    requestId: '4f1c0d9a5b7e4c2f8a6d3e1b0c9f7a52',
    resolvedSearchType: 'neural',
    results,
    costDollars: { total: costUsd },
  });
}
