// The one way out: sends a request upstream with a bounded time and a bounded body, and never
// throws.

export interface Outgoing {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | FormData;
  /** Never on a kept connection: what is paid for must not be sent again by the machinery below. */
  fresh?: boolean;
  timeout_ms: number;
  max_bytes: number;
  signal?: AbortSignal;
}

export type Sent =
  | { ok: true; status: number; headers: Headers; text: string }
  | { ok: false; failure: Failure; message: string };

/** `unreachable` means that nothing was sent; `uncertain` and `timed_out` that it may have been. */
export type Failure = 'unreachable' | 'timed_out' | 'uncertain' | 'too_large' | 'abandoned';

export type Send = (outgoing: Outgoing) => Promise<Sent>;

export const send: Send = async (outgoing) => {
  const deadline = AbortSignal.timeout(outgoing.timeout_ms);
  const signal = outgoing.signal ? AbortSignal.any([deadline, outgoing.signal]) : deadline;
  try {
    const response = await fetch(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers,
      redirect: 'manual',
      signal,
      ...(outgoing.fresh ? { keepalive: false } : {}),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
    });
    const declared = Number(response.headers.get('content-length') ?? 0);
    const text =
      declared > outgoing.max_bytes ? undefined : await readText(response, outgoing.max_bytes);
    if (text === undefined) {
      return failed('too_large', `the answer is larger than ${outgoing.max_bytes} bytes`);
    }
    return { ok: true, status: response.status, headers: response.headers, text };
  } catch (error) {
    if (outgoing.signal?.aborted)
      return failed('abandoned', 'nobody waits for the answer any more');
    if (deadline.aborted) return failed('timed_out', `no answer within ${outgoing.timeout_ms} ms`);
    return readFailure(error);
  }
};

/** Bodies of a known small size are read in one go; others are counted as they come. */
async function readText(response: Response, max_bytes: number): Promise<string | undefined> {
  if (response.headers.has('content-length') || response.body === null) return response.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > max_bytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const nothing_sent = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

function readFailure(error: unknown): Sent {
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && nothing_sent.has(code)) {
    return failed('unreachable', `the provider's address cannot be reached (${code})`);
  }
  return failed(
    'uncertain',
    `the connection broke before the answer was complete (${String(code)})`,
  );
}

function failed(failure: Failure, message: string): Sent {
  return { ok: false, failure, message };
}
