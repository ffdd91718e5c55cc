// Reads a long body chunk by chunk, and gives up if the sender is too slow overall.
import { every } from './every.ts';
import { machine } from './machine.ts';

interface Pace {
  /** Extra time for the sender, including its first byte. */
  graceMs: number;
  bytesPerSecond: number;
}

const checkEveryMs = 500;

/** Only the time spent waiting for the sender counts. Rejects with `tooSlow()`. */
export async function* pacedChunks(
  body: ReadableStream<Uint8Array>,
  { graceMs, bytesPerSecond }: Pace,
  tooSlow: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let [received, waitedMs] = [0, 0];
  let waitingSince: number | undefined;
  let [late, finished] = [false, false];
  const check = () => {
    const allowedMs = graceMs + (received / bytesPerSecond) * 1000;
    const begun = waitingSince === undefined ? 0 : machine.ticks() - waitingSince;
    if (late || waitedMs + begun <= allowedMs) return;
    late = true;
    // Ends the pending read. A race with a promise would keep one reaction for each chunk.
    reader.cancel().catch(() => undefined);
  };
  const checking = every(checkEveryMs, { name: 'upload_pace', work: check });
  try {
    for (;;) {
      const began = (waitingSince = machine.ticks());
      const next = await reader.read();
      waitingSince = undefined;
      waitedMs += machine.ticks() - began;
      if (late) throw tooSlow();
      if (next.done) {
        finished = true;
        return;
      }
      received += next.value.length;
      yield next.value;
    }
  } finally {
    checking.stop();
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** The same chunks. Each is released when the reader asks for the next one. */
export async function* releasedChunks(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    releaseChunk(chunk);
  }
}

/**
 * Frees the memory of a chunk at once. The garbage collector would let tens of megabytes
 * accumulate.
 */
export function releaseChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
