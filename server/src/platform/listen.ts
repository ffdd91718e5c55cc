// An HTTP listener on Bun, which drains within a time limit when it stops.
import type { ByteBudget } from './byte-budget.ts';
import { systemClock } from './clock.ts';
import { machine } from './machine.ts';
import { longChars, makeUnsentResponses } from './unsent-responses.ts';
import { StartError } from './start-error.ts';

export interface Listener {
  url: string;
  /** Accepts no new connections, waits for requests in progress, and then closes the rest. */
  drain: () => Promise<void>;
}

interface Connection {
  /** The peer's IP address, or an empty text if it is unknown. */
  address: () => string;
  /** Waits for this response, however long it takes. */
  keepOpen: () => void;
}

type Handle = (request: Request, connection: Connection) => Response | Promise<Response>;

/** A client must send its request headers within this time. */
const headersTimeoutS = 10;

interface Options {
  /**
   * For requests without limits of their own, and for connections that stay open between requests.
   */
  answerTimeoutS: number;
  /** A client that reads nothing of a long response for this long is disconnected. */
  stalledTimeoutS: number;
  /** How much memory long responses may take together while clients read them. */
  maxUnsentChars: number;
  /** Counts long responses together with everything else in progress. */
  bytes?: ByteBudget;
  /** The largest body of any route. Each route has its own limit. */
  maxRequestBytes: number;
  /**
   * Several processes may listen on the port, and the system distributes connections among them.
   */
  reusePort: boolean;
  /** How long requests in progress may take after the listener has stopped. */
  drainLimitMs: number;
}

const usualOptions: Options = {
  answerTimeoutS: 255,
  stalledTimeoutS: 30,
  maxUnsentChars: 32 * 1024 * 1024,
  maxRequestBytes: 64 * 1024 * 1024,
  reusePort: false,
  drainLimitMs: 10_000,
};
const drainPollMs = 100;

/** `onError` responds when `handle` throws. */
export function listen(
  host: string,
  port: number,
  handle: Handle,
  onError: (error: unknown) => Response,
  options: Partial<Options> = {},
): Listener {
  const given = { ...usualOptions, ...options };
  const { maxUnsentChars, maxRequestBytes, reusePort, drainLimitMs } = given;
  const unsentResponses = makeUnsentResponses(maxUnsentChars, systemClock, given.bytes);
  const fetch = makeFetch(handle, unsentResponses, given);
  const limits = { maxRequestBodySize: maxRequestBytes };
  const server = openServer({ hostname: host, port, reusePort, ...limits }, fetch, onError);
  return {
    url: `http://${urlHost(host)}:${server.port}`,
    drain: async () => {
      let isClosed = false;
      const closed = server.stop().then(() => (isClosed = true));
      const began = systemClock.ticks();
      while (!isClosed) {
        await Promise.race([closed, systemClock.sleep(drainPollMs)]);
        const isLate = systemClock.ticks() - began >= drainLimitMs;
        // The runtime waits for the rest of a request whose head it has not read.
        if (isLate || server.pendingRequests === 0) void server.stop(true);
      }
    },
  };
}

type Fetch = (request: Request, server: Bun.Server<undefined>) => Promise<Response>;

function makeFetch(
  handle: Handle,
  unsentResponses: ReturnType<typeof makeUnsentResponses>,
  { answerTimeoutS, stalledTimeoutS }: Options,
): Fetch {
  return async (request, server) => {
    server.timeout(request, answerTimeoutS);
    let isKept = false;
    const response = await handle(request, {
      address: () => server.requestIP(request)?.address ?? '',
      keepOpen: () => {
        isKept = true;
        server.timeout(request, 0);
      },
    });
    if (isKept) server.timeout(request, answerTimeoutS);
    // A HEAD response has no body to hold, but states the length of the file.
    const isLong = Number(response.headers.get('content-length')) > longChars;
    if (request.method === 'HEAD' || !isLong) return response;
    server.timeout(request, stalledTimeoutS);
    return unsentResponses.hold(response, {
      cut: () => server.timeout(request, 1),
      // Proxies reuse connections for later requests, and expect them to stay open.
      sent: () => server.timeout(request, answerTimeoutS),
    });
  };
}

function openServer(
  address: { hostname: string; port: number; reusePort: boolean; maxRequestBodySize: number },
  fetch: Fetch,
  onError: (error: unknown) => Response,
) {
  const { hostname: host, port } = address;
  try {
    return machine.serve({
      ...address,
      idleTimeout: headersTimeoutS,
      // Otherwise NODE_ENV decides, and an error page would show source code to the caller.
      development: false,
      error: onError,
      fetch,
    });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to ` +
          'another port.',
      );
    }
    throw new StartError(
      `Cannot listen on ${host} port ${port} (${String(code)}). Check HOST and PORT.`,
    );
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
