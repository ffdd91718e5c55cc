// An HTTP listener on Bun, which drains within a time limit when it stops, and long responses on
// their way to clients.
import { wholeEnd } from '@trivium/shared/whole-end';
import type { ByteBudget } from './byte-budget.ts';
import { type Clock, systemClock } from './clock.ts';
import { machine } from './machine.ts';
import { makeStream } from './streams.ts';
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

const usualOptions = {
  /**
   * For requests without limits of their own, and for connections that stay open between requests.
   */
  answerTimeoutS: 255,
  /** A client that reads nothing of a long response for this long is disconnected. */
  stalledTimeoutS: 30,
  /** How much memory long responses may take together while clients read them. */
  maxUnsentChars: 32 * 1024 * 1024,
  /** The largest body of any route. Each route has its own limit. */
  maxRequestBytes: 64 * 1024 * 1024,
  /**
   * Several processes may listen on the port, and the system distributes connections among them.
   */
  reusePort: false,
  /** How long requests in progress may take after the listener has stopped. */
  drainLimitMs: 10_000,
};
const drainPollMs = 100;

/** `onError` responds when `handle` throws. `bytes` also counts long responses. */
export function listen(
  host: string,
  port: number,
  handle: Handle,
  onError: (error: unknown) => Response,
  { bytes, ...options }: Partial<typeof usualOptions> & { bytes?: ByteBudget } = {},
): Listener {
  const given = { ...usualOptions, ...options };
  const { maxUnsentChars, maxRequestBytes, reusePort, drainLimitMs } = given;
  const unsentResponses = makeUnsentResponses(maxUnsentChars, systemClock, bytes);
  const fetch = makeFetch(handle, unsentResponses, given);
  const limits = { maxRequestBodySize: maxRequestBytes };
  const server = openServer({ hostname: host, port, reusePort, ...limits }, fetch, onError);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
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
  { answerTimeoutS, stalledTimeoutS }: typeof usualOptions,
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

/** A longer response is sent piece by piece. The runtime buffers a shorter one. */
export const longChars = 256 * 1024;
const pieceChars = 64 * 1024;
/**
 * Many responses may begin at the same time, and a client that reads is never cut off. It may pause, as a
 * busy machine or a poor network does.
 */
const stalledMs = 5000;
/** How often clients are looked at while their responses take more than there is. */
const roomPauseMs = 1000;
const slowestCharsPerMs = 128;
const slowAfterMs = 10_000;

const owners = new WeakMap<Response, string>();

/** The account that a long response is counted for. */
export function setOwner(response: Response, accountId: string | undefined): Response {
  if (accountId !== undefined) owners.set(response, accountId);
  return response;
}

interface UnsentResponse {
  left: number;
  chars: number;
  startedAt: number;
  progressAt: number;
  cut: () => void;
  /** Called when the response is no longer in memory. */
  forget: () => void;
}

/**
 * A client that does not read its response must not keep it in memory: above a common limit,
 * responses without progress are cut off, the slowest first. Responses to clients that read only a
 * few bytes from time to time are cut off too, because they would occupy memory for long.
 */
export function makeUnsentResponses(
  maxChars: number,
  clock: Pick<Clock, 'ticks' | 'sleep'>,
  bytes?: ByteBudget,
) {
  const responses = new Set<UnsentResponse>();
  let unsent = 0;
  const remove = (one: UnsentResponse) => {
    if (!responses.delete(one)) return;
    unsent -= one.left;
    one.forget();
  };
  let isWaiting = false;
  const makeRoom = () => {
    let hasCut = false;
    const now = clock.ticks();
    const slowestFirst = [...responses]
      .filter((one) => isStalled(one, now))
      .toSorted((one, other) => one.progressAt - other.progressAt);
    for (const one of slowestFirst) {
      if (unsent <= maxChars) break;
      remove(one);
      one.cut();
      hasCut = true;
    }
    if (hasCut) collect(clock);
    if (unsent <= maxChars || isWaiting) return;
    isWaiting = true;
    void clock.sleep(roomPauseMs).then(async () => {
      isWaiting = false;
      await makeRoomInTurn();
    });
  };
  /** While this process was busy, no client could read. */
  const makeRoomInTurn = () => machine.nextTurn().then(makeRoom);
  /**
   * A response with the same content, which is cut off if its memory is needed. `cut` closes the
   * connection soon. `sent` is called when the client has read all but the last piece.
   */
  const hold = async (response: Response, connection: { cut: () => void; sent: () => void }) => {
    // The runtime returns the text that it already has. Bytes would be a second copy.
    let text: string | undefined = await response.text();
    const room = bytes?.open(owners.get(response) ?? '');
    room?.add(text.length);
    const one: UnsentResponse = {
      left: text.length,
      chars: text.length,
      startedAt: clock.ticks(),
      progressAt: clock.ticks(),
      forget: () => room?.close(),
      cut: () => {
        text = undefined;
        connection.cut();
      },
    };
    responses.add(one);
    unsent += one.left;
    await makeRoomInTurn();
    const next = () => {
      // Throwing here closes the connection before the end of the response.
      if (text === undefined) throw new Error('the client took too long to read its response');
      if (one.left === 0) return undefined;
      const from = text.length - one.left;
      const piece = text.slice(from, wholeEnd(text, from + pieceChars));
      one.left -= piece.length;
      unsent -= piece.length;
      one.progressAt = clock.ticks();
      if (one.left === 0) {
        remove(one);
        connection.sent();
      }
      return encoder.encode(piece);
    };
    const body = makeStream(next, () => {
      remove(one);
      text = undefined;
    });
    const headers = new Headers(response.headers);
    // The runtime sends a stream in chunks.
    headers.delete('content-length');
    return new Response(body, { status: response.status, headers });
  };
  /** `unsent`: the characters that no client has read yet. */
  return { hold, unsent: () => unsent };
}

const collecting = new WeakSet<object>();

/** An idle process would keep the texts that were cut off for long. */
function collect(clock: Pick<Clock, 'sleep'>): void {
  if (collecting.has(clock)) return;
  collecting.add(clock);
  void clock.sleep(roomPauseMs).then(() => {
    collecting.delete(clock);
    Bun.gc(true);
  });
}

function isStalled({ progressAt, startedAt, chars, left }: UnsentResponse, now: number): boolean {
  const expected = (now - startedAt - slowAfterMs) * slowestCharsPerMs;
  return progressAt <= now - stalledMs || chars - left < expected;
}

const encoder = new TextEncoder();
