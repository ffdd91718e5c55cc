// The thread that reads the length of one recording. It asks the main thread for the bytes that it
// needs, and answers with the length.
import { parseFromTokenizer } from 'music-metadata';
import { fromBlob } from 'strtok3';
import { answerTasks } from '../platform/thread.ts';
import type { StatedLength } from './core/media-type.ts';

export interface LengthTask {
  bytes: number;
  type: string;
}

/** The bytes from `start` up to `end`, which is exclusive. */
export interface FileRange {
  start: number;
  end: number;
}

/** The sample table of a ten-hour MP4 is smaller. */
const maxBufferSize = 7 * 1024 * 1024;
/** Small reads are served from a larger one. */
const windowBytes = 64 * 1024;

answerTasks<LengthTask, StatedLength, FileRange, ArrayBuffer>(async (task, fetchBytes) => {
  const tokenizer = fromBlob(fileOf(task, fetchBytes), { maxBufferSize });
  const { format } = await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true });
  const { duration: seconds, hasVideo, lossless } = format;
  return { seconds, hasVideo, lossless };
});

/** The parts of a file that the library uses. It reads one part at a time. */
function fileOf(
  { bytes: size, type }: LengthTask,
  fetchBytes: (range: FileRange) => Promise<ArrayBuffer>,
): Blob {
  let [from, known] = [0, new ArrayBuffer(0)];
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    if (start < from || end > from + known.byteLength) {
      const wanted = { start, end: Math.min(size, Math.max(end, start + windowBytes)) };
      [from, known] = [start, await fetchBytes(wanted)];
    }
    return known.slice(start - from, end - from);
  };
  const part = (start = 0, end = size) => ({ arrayBuffer: () => read(start, end) });
  return { size, type, slice: part } as unknown as Blob;
}
