// A simple load balancer: round-robin over the gateways, with the next one as a fallback.
import type { Gateway } from './harness.ts';

export type Balancer = Disposable & { url: string };

const attemptLimitMs = 10_000;

export function startBalancer(gateways: readonly Gateway[]): Balancer {
  let turn = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = await request.arrayBuffer();
      for (let tries = 0; tries < gateways.length; tries += 1) {
        const gateway = gateways[turn++ % gateways.length];
        try {
          return await fetch(`${gateway?.url ?? ''}${pathname}${search}`, {
            method: request.method,
            headers: request.headers,
            signal: AbortSignal.timeout(attemptLimitMs),
            ...(body.byteLength === 0 ? {} : { body }),
          });
        } catch {
          continue;
        }
      }
      return new Response('no gateway answers', { status: 502 });
    },
  });
  return { url: server.url.origin, [Symbol.dispose]: () => void server.stop(true) };
}
