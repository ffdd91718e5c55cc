// Reads the length of a recording from its file, so that a job holds the actual price. A library
// parses the file on a separate thread, with few bytes and little time, because the file may be
// malicious. A length that cannot be read, or cannot be true, is unknown.
import { withTimeLimit } from '../platform/clock.ts';
import { makeThreads } from '../platform/thread.ts';
import { type StatedLength, plausibleSeconds } from './core/media-type.ts';
import type { StoredFile } from './file-store.ts';
import type { FileRange, LengthTask } from './read-length-thread.ts';

const timeLimitMs = 5000;
/** Enough for the headers of a recording of ten hours, wherever they are in the file. */
const maxReadBytes = 32 * 1024 * 1024;
/** Each read costs two messages. */
const maxReads = 4096;
/** Parsing a file may take far more memory than its size. */
const maxGrowth = { name: 'recording_memory', bytes: 96 * 1024 * 1024, checkMs: 20 };

export interface LengthReader {
  /** Whole seconds, rounded up. Null if the length is unknown. */
  read: (file: StoredFile, type: string) => Promise<number | null>;
}

export function makeLengthReader(limits = { timeLimitMs, maxReadBytes }): LengthReader {
  const totalMs = 2 * limits.timeLimitMs;
  const threads = makeThreads<LengthTask, StatedLength, FileRange, ArrayBuffer>(
    new URL('./read-length-thread.ts', import.meta.url),
    {
      // One file at a time, so that hostile files cannot use several times the memory.
      ...{ name: 'recordings_measured', maxRunning: 1, maxWaiting: 15, maxWaitMs: totalMs },
      ...{ startMs: limits.timeLimitMs, taskMs: limits.timeLimitMs },
      ...{ smol: true, isNewForEach: true, maxGrowth },
    },
  );
  return {
    read: async (file, type) => {
      const { bytes } = file;
      let [readBytes, reads] = [0, 0];
      const serve = ({ start, end }: FileRange) => {
        readBytes += end - start;
        reads += 1;
        if (readBytes > limits.maxReadBytes || reads > maxReads) throw new Error('too many reads');
        return new Response(file.read(start, end)).arrayBuffer();
      };
      const asked = threads.ask({ bytes, type }, undefined, serve);
      // Other files may come first and take all the time.
      const answer = await withTimeLimit(asked, totalMs, () => new Error()).catch(() => undefined);
      return answer && 'value' in answer ? plausibleSeconds(answer.value, bytes) : null;
    },
  };
}
