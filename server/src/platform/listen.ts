// The listening socket: one server, drained within a bound when it is asked to stop.
import { StartError } from './start-error.ts';

export interface Door {
  url: string;
  /** Takes no new requests, waits for those under way, then cuts what is left. */
  drain: () => Promise<void>;
}

/** `address` tells who is at the other end, empty when that cannot be known. */
export type Handle = (request: Request, address: () => string) => Response | Promise<Response>;

/** A client that connects and does not get a whole request head across in this time is cut. */
const head_timeout_s = 10;
/** Long extractions and panels need more once the request is there; Bun allows no more. */
const answer_timeout_s = 255;
const drain_ms = 10_000;
const max_request_bytes = 64 * 1024 * 1024;

/** `lastResort` answers when `handle` itself fails. */
export function listen(
  host: string,
  port: number,
  handle: Handle,
  lastResort: (error: unknown) => Response,
): Door {
  const server = openServer(host, port, handle, lastResort);
  return {
    url: `http://${urlHost(host)}:${server.port}`,
    drain: async () => {
      const finished = server.stop();
      const cut = setTimeout(() => void server.stop(true), drain_ms);
      await finished;
      clearTimeout(cut);
    },
  };
}

function openServer(
  host: string,
  port: number,
  handle: Handle,
  lastResort: (error: unknown) => Response,
) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: head_timeout_s,
      maxRequestBodySize: max_request_bytes,
      // Else NODE_ENV decides, and a failure would show source lines and paths to the caller.
      development: false,
      error: lastResort,
      fetch: (request, server) => {
        server.timeout(request, answer_timeout_s);
        return handle(request, () => server.requestIP(request)?.address ?? '');
      },
    });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another.`,
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
