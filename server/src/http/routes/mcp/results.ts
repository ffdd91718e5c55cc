// The results of one MCP request, which may be a batch: all of them together are in memory until
// the answer is sent, so they are counted in the budget of bytes in progress.
import { GatewayError } from '@trivium/contract';
import { noRoom } from '../../../platform/byte-budget.ts';
import type { ByteBudget } from '../../../platform/byte-budget.ts';
import { jsonText } from '../../json-text.ts';

export interface McpResults {
  /** How much of a transcript the messages ask for. */
  wants: 'beginning' | 'whole';
  /** The same response of the public API, read and counted. */
  count: (call: Request, response: Response) => Promise<Response>;
  /** The answer to the client; it is counted until the client has taken it. */
  finish: (answer: Response) => Promise<Response>;
  close: () => void;
}

/** What costs nothing to read, in one MCP request. */
const maxFreeBytes = 16 * 1024 * 1024;

export function openResults(bytes: ByteBudget, accountId: string, body: unknown): McpResults {
  const room = bytes.open(accountId);
  let free = 0;
  const take = async (size: number, isFree: boolean): Promise<GatewayError | undefined> => {
    if (!isFree) return (await room.grow(size)) ? undefined : noRoom('gateway');
    free += size;
    if (free > maxFreeBytes) return tooLong();
    const whose = room.take(size);
    return whose && noRoom(whose);
  };
  return {
    wants: readsResources(body) ? 'whole' : 'beginning',
    count: async ({ method }, response) => {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of response.body ?? []) {
        const refused = await take(chunk.length, method === 'GET');
        if (refused) return refusalOf(refused);
        chunks.push(chunk);
      }
      return new Response(new Blob(chunks), response);
    },
    finish: async (answer) => {
      const { body: stream, status, headers } = answer;
      if (/^application\/json\b/.test(headers.get('content-type') ?? '')) {
        const text = await answer.text();
        room.close();
        return jsonText(text, status, Object.fromEntries(headers), accountId);
      }
      const ended = new TransformStream<Uint8Array, Uint8Array>({ flush: () => room.close() });
      if (stream === null) room.close();
      return new Response(stream?.pipeThrough(ended) ?? null, answer);
    },
    close: () => room.close(),
  };
}

function refusalOf({ type, message, status }: GatewayError): Response {
  return Response.json({ error: { type, message } }, { status });
}

function readsResources(body: unknown): boolean {
  return [body].flat().some((message) => {
    const { method } = (message ?? {}) as { method?: unknown };
    return method === 'resources/read';
  });
}

function tooLong(): GatewayError {
  const message =
    'The results of this MCP request are too long together. Ask for fewer at once, or read a ' +
    'transcript at GET /v1/jobs/{id}.';
  return new GatewayError('invalid_request', message, undefined, { status: 413 });
}
