// Long responses on their way to clients. A client that does not read its response must not keep it
// in memory: above a common limit, responses without progress are cut off, the slowest first.
// Responses to clients that read only a few bytes from time to time are cut off too, because they
// would occupy memory for long.
import type { ByteBudget } from './byte-budget.ts';
import type { Clock } from './clock.ts';
import { makeStream } from './made-stream.ts';

interface Connection {
  /** Closes the connection soon. */
  cut: () => void;
  /** Called when the client has read all but the last piece. */
  sent: () => void;
}

interface UnsentResponses {
  /** A response with the same content, which is cut off if its memory is needed. */
  hold: (response: Response, connection: Connection) => Promise<Response>;
  /** Characters that no client has read yet. */
  unsent: () => number;
}

/** A longer response is sent piece by piece. The runtime buffers a shorter one. */
export const longChars = 256 * 1024;
const pieceChars = 64 * 1024;
/** Many responses may begin at the same time, and a client that reads is never cut off. */
const stalledMs = 1000;
const slowestCharsPerMs = 128;
const slowAfterMs = 10_000;

const owners = new WeakMap<Response, string>();

/** The account that a long response is counted for. */
export function setOwner(response: Response, accountId: string | undefined): Response {
  if (accountId !== undefined) owners.set(response, accountId);
  return response;
}

function ownerOf(response: Response): string | undefined {
  return owners.get(response);
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

export function makeUnsentResponses(
  maxChars: number,
  clock: Pick<Clock, 'ticks' | 'sleep'>,
  bytes?: ByteBudget,
): UnsentResponses {
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
    void clock.sleep(stalledMs).then(() => {
      isWaiting = false;
      makeRoom();
    });
  };
  const hold: UnsentResponses['hold'] = async (response, connection) => {
    // The runtime returns the text that it already has. Bytes would be a second copy.
    let text: string | undefined = await response.text();
    const room = bytes?.open(ownerOf(response) ?? '');
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
    makeRoom();
    const next = () => {
      // Throwing here closes the connection before the end of the response.
      if (text === undefined) throw new Error('the client took too long to read its response');
      if (one.left === 0) return undefined;
      const piece = pieceOf(text, text.length - one.left);
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
  return { hold, unsent: () => unsent };
}

const collecting = new WeakSet<object>();

/** An idle process would keep the texts that were cut off for long. */
function collect(clock: Pick<Clock, 'sleep'>): void {
  if (collecting.has(clock)) return;
  collecting.add(clock);
  void clock.sleep(stalledMs).then(() => {
    collecting.delete(clock);
    Bun.gc(true);
  });
}

function isStalled({ progressAt, startedAt, chars, left }: UnsentResponse, now: number): boolean {
  const expected = (now - startedAt - slowAfterMs) * slowestCharsPerMs;
  return progressAt <= now - stalledMs || chars - left < expected;
}

const encoder = new TextEncoder();

/** The two halves of a surrogate pair stay together. */
function pieceOf(text: string, from: number): string {
  const end = from + pieceChars;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(from, isSplit ? end - 1 : end);
}
