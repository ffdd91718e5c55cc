// Writes a multipart form whose file is streamed. The runtime's FormData would keep the file in
// memory.
import { machine } from './machine.ts';

interface FormFile {
  field: string;
  name: string;
  type: string;
  bytes: number;
  stream: () => ReadableStream<Uint8Array>;
}

interface FormBody {
  type: string;
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

export function formWithFile(
  fields: Iterable<readonly [name: string, value: string]>,
  file: FormFile,
): FormBody {
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
    body: streamOf(piecesOf(before, file, after)),
  };
}

async function* piecesOf(
  before: Uint8Array,
  file: FormFile,
  after: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield before;
  yield* file.stream();
  yield after;
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/** Escapes like browsers do. */
function escaped(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
