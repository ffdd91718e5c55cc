// The thread that reads the length of one recording. It asks the main thread for the bytes that it
// needs, and answers with the length.
import { parseFromTokenizer } from 'music-metadata';
import { fromBlob } from 'strtok3';
import type { StatedLength } from './core/plausible-length.ts';

declare const self: Worker;

export interface ToLengthThread {
  bytes: number;
  type: string;
}

export type FromLengthThread =
  | { kind: 'read'; start: number; end: number }
  | { kind: 'length'; stated: StatedLength };

/** The sample table of a ten-hour MP4 is smaller. */
const maxBufferSize = 7 * 1024 * 1024;
/** Small reads are served from a larger one. */
const windowBytes = 64 * 1024;

let answer: ((bytes: ArrayBuffer) => void) | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToLengthThread | ArrayBuffer>) => {
  if (data instanceof ArrayBuffer) answer?.(data);
  else void readLength(data).then((stated) => post({ kind: 'length', stated }));
});

async function readLength({ bytes, type }: ToLengthThread): Promise<StatedLength> {
  try {
    const tokenizer = fromBlob(fileOf(bytes, type), { maxBufferSize });
    const { format } = await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true });
    const { duration: seconds, hasVideo, lossless } = format;
    return { seconds, hasVideo, lossless };
  } catch {
    return {};
  }
}

/** The parts of a file that the library uses. It reads one part at a time. */
function fileOf(size: number, type: string): Blob {
  let [from, known] = [0, new ArrayBuffer(0)];
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    if (start < from || end > from + known.byteLength) {
      [from, known] = [
        start,
        await fetchBytes(start, Math.min(size, Math.max(end, start + windowBytes))),
      ];
    }
    return known.slice(start - from, end - from);
  };
  const part = (start = 0, end = size) => ({ arrayBuffer: () => read(start, end) });
  return { size, type, slice: part } as unknown as Blob;
}

function fetchBytes(start: number, end: number): Promise<ArrayBuffer> {
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
  answer = resolve;
  post({ kind: 'read', start, end });
  return promise;
}

function post(message: FromLengthThread): void {
  self.postMessage(message);
}
