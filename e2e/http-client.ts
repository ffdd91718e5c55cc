// A minimal HTTP client for scenarios: adds the key and returns the whole response.
import { recordAnswer } from './answer-record.ts';
import { refuseSecrets } from './secrets.ts';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or undefined when it is not JSON. */
  body: unknown;
};

/** Null removes a default header. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

export type Client = {
  get: (path: string, headers?: HeaderChanges) => Promise<Answer>;
  /** A string or a stream is sent unchanged, anything else as JSON. */
  post: (path: string, body: unknown, headers?: HeaderChanges) => Promise<Answer>;
  ask: (method: string, path: string, body?: unknown, headers?: HeaderChanges) => Promise<Answer>;
};

/** Reads address and key for each request, because a restart may change them. */
export function createClient(
  address: () => string,
  key: (path: string) => string,
  secrets: readonly string[] = [],
): Client {
  const ask: Client['ask'] = async (method, path, body, changes = {}) => {
    const headers = new Headers({ authorization: `Bearer ${key(path)}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const response = await fetch(`${address()}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(answerLimitMs),
      redirect: 'manual',
      ...(body === undefined ? {} : { body: encode(body) }),
    });
    recordAnswer(method, path, response.status);
    const text = await response.text();
    const heads = JSON.stringify([...response.headers]);
    refuseSecrets(heads + text, secrets, `the answer to ${method} ${path}`);
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  return {
    ask,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
  };
}

/** A first start prints it. */
export function operatorTokenIn(output: string): string | undefined {
  return /op_[\w-]{43}/.exec(output)?.[0];
}

/** More than the longest provider timeout, even on a busy machine. */
const answerLimitMs = 120_000;

function encode(body: unknown): string | ReadableStream<Uint8Array> {
  return typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
