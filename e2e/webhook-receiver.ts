// A receiver of webhooks: it records every delivery, and each path answers in its own way.
import { waitFor } from './wait-for.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Waits until this many deliveries with this path have arrived, and returns them. */
  arrived: (path: string, count?: number) => Promise<Received[]>;
  /** Answers with this status on a path from now on; 200 by default. */
  answer: (path: string, status: number) => void;
}

export function startReceiver(): Receiver {
  const received: Received[] = [];
  const statuses = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const body = await request.text();
      const event = JSON.parse(body) as Received['event'];
      received.push({ path, headers: Object.fromEntries(request.headers), body, event });
      return new Response('ignored', { status: statuses.get(path) ?? 200 });
    },
  });
  const of = (path: string) => received.filter((one) => one.path === path);
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    answer: (path, status) => void statuses.set(path, status),
    arrived: (path, count = 1) =>
      waitFor(() => of(path), {
        what: `${count} deliveries arrive at ${path}`,
        until: ({ length }) => length >= count,
      }),
    [Symbol.asyncDispose]: async () => server.stop(true),
  };
}
