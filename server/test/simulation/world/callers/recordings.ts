// Recordings that callers send, part by part.
import { type Operation, subjectOf } from './caller.ts';
import type { Ask } from '../network.ts';

/** A minute of sound, one byte a sample. A large one is sent to a bucket in parts. */
export function recording(isLarge = false): Buffer {
  const rate = isLarge ? 120_000 : 100;
  const wav = Buffer.alloc(44 + 60 * rate);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(60 * rate, 40);
  return wav;
}

const fewestBytes = 2000;
const mostParts = 24;

export function inParts(bytes: Buffer): Uint8Array[] {
  const partBytes = Math.max(fewestBytes, Math.ceil(bytes.length / mostParts));
  const count = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * partBytes, (at + 1) * partBytes),
  );
}

const boundary = 'part-of-the-simulation';

export function formOf(operation: Operation, model: string, headers: Record<string, string>): Ask {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n` +
    'content-type: audio/wav\r\n\r\n';
  const form = Buffer.concat([
    Buffer.from(field('model', model) + field('prompt', subjectOf(operation)) + file),
    recording(),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    ...{ path: '/v1/audio/transcriptions', key: '', parts: inParts(form) },
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
