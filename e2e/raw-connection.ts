// A raw TCP connection: sends exact bytes, at once or in parts, and records the response.

export type RawConnection = {
  write: (data: string | Uint8Array) => void;
  /** The bytes received so far. */
  received: () => string;
  /** Resolves with everything received, once one whole answer of known length is there. */
  answered: Promise<string>;
  /** Resolves when the other side has closed. */
  closed: Promise<void>;
  end: () => void;
};

export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const answered = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  let received = '';
  // What the system had no room for.
  let unsent = Buffer.alloc(0);
  const flush = (to: { write: (bytes: Uint8Array) => number }) => {
    if (unsent.length > 0) unsent = unsent.subarray(Math.max(to.write(unsent), 0));
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, bytes) => {
        received += bytes.toString('utf8');
        if (isWhole(received)) answered.resolve(received);
      },
      drain: flush,
      close: () => {
        closed.resolve();
        answered.reject(new Error(`The connection closed after: ${received.slice(0, 200)}`));
      },
      error: () => closed.resolve(),
    },
  });
  // A test that only waits for the close must not fail because no answer came.
  answered.promise.catch(() => undefined);
  return {
    write: (data) => {
      unsent = Buffer.concat([unsent, Buffer.from(data)]);
      flush(socket);
    },
    received: () => received,
    answered: answered.promise,
    closed: closed.promise,
    end: () => void socket.end(),
  };
}

/** The exact text of a POST request. */
export function rawPost(path: string, key: string, body: object): string {
  const text = JSON.stringify(body);
  return `${rawPostHead(path, key, Buffer.byteLength(text))}${text}`;
}

export function rawPostHead(path: string, key: string, length: number): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

export function rawStatus(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? NaN);
  return Buffer.byteLength(text) >= headEnd + 4 + length;
}
