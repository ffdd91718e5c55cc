// Reads the length of a recording from its file, so that a job holds the actual price. A library
// parses the file on a separate thread, with few bytes and little time, because the file may be
// malicious. A length that cannot be read, or cannot be true, is unknown.
import { every } from '../platform/every.ts';
import { withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import type { StoredFile } from './file-store.ts';
import { plausibleSeconds } from './core/plausible-length.ts';
import type { StatedLength } from './core/plausible-length.ts';
import type { FromLengthThread, ToLengthThread } from './read-length-thread.ts';

/** One file at a time, so that hostile files cannot use several times the memory. */
const maxWaiting = 16;
const timeLimitMs = 5000;
/** Enough for the headers of a recording of ten hours, wherever they are in the file. */
const maxReadBytes = 32 * 1024 * 1024;
/** Parsing a file may take far more memory than its size. */
const maxGrowthBytes = 96 * 1024 * 1024;
const memoryCheckMs = 20;
/** Each read costs two messages. */
const maxReads = 4096;

export interface LengthReader {
  /** Whole seconds, rounded up. Null if the length is unknown. */
  read: (file: StoredFile, type: string) => Promise<number | null>;
}

export function makeLengthReader(limits = { timeLimitMs, maxReadBytes }): LengthReader {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async (file, type) => {
      if (waiting >= maxWaiting) return null;
      waiting += 1;
      let isLate = false;
      const found = last.then(() => (isLate ? {} : readOn(file, type, limits)));
      last = found;
      try {
        const stated = await withTimeLimit(found, 2 * limits.timeLimitMs, tooSlow);
        return plausibleSeconds(stated, file.bytes);
      } catch {
        // Other files came first and took all the time.
        isLate = true;
        return null;
      } finally {
        waiting -= 1;
      }
    },
  };
}

const tooSlow = () => new Error('the length of a recording took too long to read');

/** Each file gets its own thread, so whatever a file does to it ends with it. */
async function readOn(
  file: StoredFile,
  type: string,
  limits: { timeLimitMs: number; maxReadBytes: number },
): Promise<StatedLength> {
  const thread = machine.startThread(new URL('./read-length-thread.ts', import.meta.url), {
    ref: false,
    smol: true,
  });
  const { promise, resolve } = Promise.withResolvers<StatedLength>();
  let [bytes, reads] = [0, 0];
  const serve = async (start: number, end: number) => {
    bytes += end - start;
    reads += 1;
    if (bytes > limits.maxReadBytes || reads > maxReads) return resolve({});
    const buffer = await new Response(file.read(start, end)).arrayBuffer();
    thread.postMessage(buffer, [buffer]);
  };
  thread.addEventListener('message', ({ data }: MessageEvent<FromLengthThread>) => {
    if (data.kind === 'length') resolve(data.stated);
    else serve(data.start, data.end).catch(() => resolve({}));
  });
  thread.addEventListener('error', () => resolve({}));
  const before = process.memoryUsage.rss();
  const guard = every(memoryCheckMs, {
    name: 'recording_memory',
    work: () => {
      if (process.memoryUsage.rss() - before > maxGrowthBytes) resolve({});
    },
  });
  const task: ToLengthThread = { bytes: file.bytes, type };
  thread.postMessage(task);
  try {
    return await withTimeLimit(promise, limits.timeLimitMs, tooSlow);
  } catch {
    return {};
  } finally {
    guard.stop();
    thread.terminate();
  }
}
