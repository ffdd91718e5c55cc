// Long responses on their way to clients. A client that does not read its response must not keep it
// in memory: above a limit for all together, those without progress are cut, the slowest first.
import type { Clock } from './clock.ts';

interface Outbox {
  /** A response with the same content, which is cut when the outbox needs its place. */
  hold: (response: Response, cutConnection: () => void) => Promise<Response>;
  /** Bytes that no client has taken yet. */
  unsent: () => number;
}

/** A longer response is sent piece by piece; the runtime buffers a shorter one. */
export const longBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;
/** Many responses may begin at the same time, and a client that reads is never cut. */
const stalledMs = 1000;

interface Parcel {
  left: number;
  progressAt: number;
  cut: () => void;
}

export function makeOutbox(maxBytes: number, clock: Pick<Clock, 'ticks' | 'sleep'>): Outbox {
  const parcels = new Set<Parcel>();
  let unsent = 0;
  const remove = (parcel: Parcel) => {
    if (parcels.delete(parcel)) unsent -= parcel.left;
  };
  let isWaiting = false;
  const makeRoom = () => {
    const stalledSince = clock.ticks() - stalledMs;
    const slowestFirst = [...parcels].toSorted((one, other) => one.progressAt - other.progressAt);
    for (const parcel of slowestFirst) {
      if (unsent <= maxBytes || parcel.progressAt > stalledSince) break;
      remove(parcel);
      parcel.cut();
    }
    if (unsent <= maxBytes || isWaiting) return;
    isWaiting = true;
    void clock.sleep(stalledMs).then(() => {
      isWaiting = false;
      makeRoom();
    });
  };
  const hold: Outbox['hold'] = async (response, cutConnection) => {
    let bytes: Uint8Array | undefined = new Uint8Array(await response.arrayBuffer());
    const parcel: Parcel = {
      left: bytes.length,
      progressAt: clock.ticks(),
      cut: () => {
        bytes = undefined;
        cutConnection();
      },
    };
    parcels.add(parcel);
    unsent += parcel.left;
    makeRoom();
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        // Thrown here, it closes the connection before the end of the response.
        if (bytes === undefined) throw new Error('the client took too long to read its response');
        const at = bytes.length - parcel.left;
        // A copy: a piece of the whole would keep the whole in memory.
        const piece = bytes.slice(at, at + pieceBytes);
        stream.enqueue(piece);
        parcel.left -= piece.length;
        unsent -= piece.length;
        parcel.progressAt = clock.ticks();
        if (parcel.left > 0) return;
        remove(parcel);
        stream.close();
      },
      cancel: () => {
        remove(parcel);
        bytes = undefined;
      },
    });
    const headers = new Headers(response.headers);
    // The runtime sends a stream in chunks.
    headers.delete('content-length');
    return new Response(body, { status: response.status, headers });
  };
  return { hold, unsent: () => unsent };
}
