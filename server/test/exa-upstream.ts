// A small upstream in place of engine_a: returns prepared answers, reports a cost, counts its
// calls.
import type { Server } from 'bun';

export interface ExaUpstream extends Disposable {
  url: string;
  /** How many searches have reached it. */
  calls: () => number;
  /** Makes the next answers. */
  answer: (make: (call: number) => Response | Promise<Response>) => void;
}

export const usualCostUsd = 0.007;

export function startExa(): ExaUpstream {
  let calls = 0;
  let make: (call: number) => Response | Promise<Response> = () => found();
  const server: Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      calls += 1;
      return make(calls);
    },
  });
  return {
    url: server.url.origin,
    calls: () => calls,
    answer: (next) => {
      make = next;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

export function found(costUsd: unknown = usualCostUsd): Response {
  return Response.json({
    requestId: 'r',
    results: [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }],
    costDollars: { total: costUsd },
  });
}
