// Multipart forms with one file, as streams: reading one, and writing one.
import { Busboy } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { machine } from './machine.ts';
import { releaseChunk, streamOf } from './streams.ts';

/** The form cannot be read. */
export class FormError extends Error {}

const limits = {
  fieldNameSize: 200,
  fieldSize: 64 * 1024,
  fields: 100,
  /** More than one is refused, so two are enough to detect it. */
  files: 2,
  parts: 102,
  headerPairs: 20,
  headerSize: 16 * 1024,
};

/**
 * `onFile` gets the chunks of the first file and must read them to the end, or throw. A second file
 * is a FormError, and so is a form that ends too early. Returns the fields, and the names under which
 * files were sent, in order.
 */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onFile: (chunks: AsyncIterable<Uint8Array>, name: string | undefined) => Promise<void>,
) {
  const form = { fields: [] as [name: string, value: string][], files: [] as string[] };
  const parser = openParser(contentType);
  const ended = Promise.withResolvers<void>();
  // Awaited only at the end.
  ended.promise.catch(() => undefined);
  let receiving: Promise<void> | undefined;
  let current: (Readable & { bytesRead?: number }) | undefined;
  const release = releaseInOrder();
  let hasFailed = false;
  let goOn: () => void = () => undefined;
  const fail = (error: unknown) => {
    hasFailed = true;
    ended.reject(error);
    goOn();
  };
  parser.on('file', (name, file, fileName: string | undefined) => {
    form.files.push(name);
    if (form.files.length > 1) {
      file.resume();
      fail(new FormError('it has more than one file'));
      return;
    }
    current = file;
    receiving = onFile(release.whenRead(file), fileName);
    receiving.catch(fail);
  });
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) fail(new FormError('a field of it is too long'));
    form.fields.push([name, value]);
  });
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => fail(new FormError('it has too many parts')));
  }
  parser.on('error', (error) => fail(new FormError(wordsOf(error))));
  parser.on('finish', () => ended.resolve());
  parser.on('drain', () => goOn());
  try {
    for await (const chunk of body) {
      const waits = !hasFailed && !parser.write(chunk);
      if (waits) await new Promise<void>((resolve) => (goOn = resolve));
      if (hasFailed) await ended.promise;
      if (current?.bytesRead !== undefined) release.add(chunk, current.bytesRead);
    }
    parser.end();
    await ended.promise;
    await receiving;
    return form;
  } catch (error) {
    current?.destroy(error instanceof Error ? error : new Error('the form was cut off'));
    // The file is removed before the caller gets an answer.
    await receiving?.catch(() => undefined);
    throw error;
  } finally {
    parser.on('error', () => undefined);
    parser.destroy();
  }
}

/** Releases the chunks of a body once their part of the file was read. */
function releaseInOrder() {
  const held: { chunk: Uint8Array; until: number }[] = [];
  let read = 0;
  const releaseRead = () => {
    for (let first = held[0]; first && first.until <= read; first = held[0]) {
      releaseChunk(first.chunk);
      held.shift();
    }
  };
  return {
    /** `until`: how much of the file this chunk and the ones before it contain. */
    add: (chunk: Uint8Array, until: number) => {
      held.push({ chunk, until });
      releaseRead();
    },
    whenRead: async function* (file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const slice of file) {
        const { length } = slice;
        yield slice;
        read += length;
        releaseRead();
      }
    },
  };
}

function openParser(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (error) {
    throw new FormError(wordsOf(error));
  }
}

function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/boundary not found/i.test(message)) return 'its Content-Type has no boundary';
  if (/unexpected end|terminated early/i.test(message)) return 'it ends before its last boundary';
  return `it is not a valid form (${message.slice(0, maxWords)})`;
}

const maxWords = 200;

interface FormFile {
  field: string;
  name: string;
  type: string;
  bytes: number;
  stream: () => ReadableStream<Uint8Array>;
}

/** The runtime's FormData would keep the file in memory. */
export function formWithFile(
  fields: Iterable<readonly [name: string, value: string]>,
  file: FormFile,
) {
  const boundary = `trivium-${machine.randomBytes(16).toString('hex')}`;
  const disposition = (name: string) => `content-disposition: form-data; name="${escaped(name)}"`;
  const texts = Array.from(
    fields,
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`,
  );
  const head =
    `--${boundary}\r\n${disposition(file.field)}; filename="${escaped(file.name)}"\r\n` +
    `content-type: ${file.type}\r\n\r\n`;
  const before = Buffer.from(texts.join('') + head);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: before.length + file.bytes + after.length,
    body: streamOf(formPieces(before, file, after), 0),
  };
}

async function* formPieces(
  before: Uint8Array,
  file: FormFile,
  after: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield before;
  yield* file.stream();
  yield after;
}

/** Escapes like browsers do. */
function escaped(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
