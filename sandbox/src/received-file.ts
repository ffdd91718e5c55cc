// A file that a vendor received: only its size and its digest are kept.
import { Busboy } from '@fastify/busboy';
import { z } from 'zod';

export const ReceivedFile = z.strictObject({ bytes: z.int(), sha256: z.string() });
export type ReceivedFile = z.infer<typeof ReceivedFile>;

export async function receiveFile(chunks: AsyncIterable<Uint8Array> | null): Promise<ReceivedFile> {
  const hash = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const chunk of chunks ?? []) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

type FormEntry = [name: string, value: string | ReceivedFile];

/** The fields and files of a form in parts, in the order in which they end. */
export async function receiveForm(request: Request): Promise<FormEntry[]> {
  const entries: FormEntry[] = [];
  const files: Promise<void>[] = [];
  const parser = new Busboy({
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', reject);
  });
  parser.on('field', (name, value) => entries.push([name, value]));
  parser.on('file', (name, file) => {
    files.push(receiveFile(file).then((received) => void entries.push([name, received])));
  });
  for await (const chunk of request.body ?? []) {
    if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
  }
  parser.end();
  await ended;
  await Promise.all(files);
  return entries;
}
