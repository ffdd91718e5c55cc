// A stub gateway for tests: gives prepared responses in order and records the requests.

export interface RecordedRequest {
  method: string;
  path: string;
  headers: Headers;
  /** The parsed body; null when it is not JSON. */
  body: unknown;
  bytes: number;
}

export type StubGateway = AsyncDisposable & { url: string; requests: RecordedRequest[] };

/** Repeats the last response when the list is exhausted. */
export function startStubGateway(
  answers: readonly ((request: RecordedRequest) => Response | Promise<Response>)[],
): StubGateway {
  const requests: RecordedRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const path = request.url.slice(server.url.origin.length);
      const received = await request.bytes();
      const body = parse(received);
      const { method, headers } = request;
      const one = { method, path, headers, body, bytes: received.length };
      requests.push(one);
      const answer = answers[requests.length - 1] ?? answers.at(-1);
      return answer?.(one) ?? new Response('nothing was prepared', { status: 500 });
    },
  });
  return {
    url: server.url.origin,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

export function envelope(
  status: number,
  error: { type: string; message: string; detail?: unknown },
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers: { 'x-request-id': 'req_1', ...headers } });
}

export const found = {
  id: 'srch_0198c0de000070008000000000000001',
  provider: 'engine_a',
  results: [],
  warnings: [{ code: 'param_ignored', param: 'offset', message: 'engine_a ignores offset.' }],
  usage: { cost_usd: 0.007, credits: 7 },
  latency_ms: 12,
};

export function jobIn(status: 'queued' | 'running' | 'completed' | 'failed'): object {
  return {
    id: jobId,
    tool: 'transcription',
    status,
    provider: 'stt_a',
    model: 'universal',
    attempt_status: status === 'running' ? 'waiting' : status,
    created_at: '2026-11-15T12:00:00.000Z',
    updated_at: '2026-11-15T12:00:01.000Z',
    finished_at: status === 'completed' || status === 'failed' ? '2026-11-15T12:00:02.000Z' : null,
    result:
      status === 'completed'
        ? { text: 'Hello there.', words, provider: 'stt_a', model: 'universal', usage: jobUsage }
        : null,
    error:
      status === 'failed'
        ? { type: 'audio_unreachable', message: 'The recording is not there.' }
        : null,
  };
}

export const jobId = 'job_0198c0de-0000-7000-8000-000000000001';
export const words = [
  { text: 'Hello', start: 0, end: 0.4, speaker_id: 'speaker_0' },
  { text: 'there.', start: 0.5, end: 0.9, speaker_id: 'speaker_0' },
  { text: 'Hi!', start: 1.2, end: 1.5, speaker_id: 'speaker_1' },
];
const jobUsage = { cost_usd: 0.001, credits: 1 };
