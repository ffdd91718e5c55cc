// The results of one MCP request, which may be a batch. All of them are in memory until the answer
// is sent, so they count towards the budget of bytes in progress.
import type { GatewayError } from '@trivium/contract';
import { noRoom, type ByteBudget } from '../../../platform/byte-budget.ts';
import { watchStream } from '../../../platform/streams.ts';
import { jsonText, badRequest } from '../../middleware/body.ts';

/** The limit of results that cost nothing to read, in one MCP request. */
const maxFreeBytes = 16 * 1024 * 1024;

export type McpResults = ReturnType<typeof openResults>;

export function openResults(bytes: ByteBudget, accountId: string, body: unknown) {
  const room = bytes.open(accountId);
  const readsResources = [body].flat().some((message) => {
    const { method } = (message ?? {}) as { method?: unknown };
    return method === 'resources/read';
  });
  /** How much of a transcript the messages ask for. */
  const wants = readsResources ? 'whole' : 'beginning';
  let free = 0;
  let last: Promise<unknown> = Promise.resolve();
  const take = async (size: number, kind: 'paid' | 'free'): Promise<void> => {
    if (kind === 'paid') {
      if (await room.grow(size)) return;
      throw noRoom('gateway');
    }
    free += size;
    if (free > maxFreeBytes) throw tooLong();
    const whose = room.take(size);
    if (whose) throw noRoom(whose);
  };
  return {
    wants,
    /** The whole text of a result, counted. */
    count: async (body: string | ReadableStream<Uint8Array>, kind: 'paid' | 'free') => {
      if (typeof body === 'string') {
        await take(Buffer.byteLength(body), kind);
        return body;
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) {
        await take(chunk.length, kind);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString();
    },
    /** Whole transcripts are read one after the other, and none once the results are too long. */
    inTurn: <T>(read: () => Promise<T>) => {
      if (wants === 'beginning') return read();
      const turn = last.then(() => {
        if (free > maxFreeBytes) throw tooLong();
        return read();
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    /** The answer to the client. It is counted until the client has received it. */
    finish: async (answer: Response) => {
      const { body: stream, status, headers } = answer;
      if (/^application\/json\b/.test(headers.get('content-type') ?? '')) {
        const text = await answer.text();
        room.close();
        return jsonText(text, status, Object.fromEntries(headers), accountId);
      }
      if (stream === null) room.close();
      return new Response(stream && watchStream(stream, room.close), answer);
    },
    close: () => room.close(),
  };
}

function tooLong(): GatewayError {
  const message =
    'The results of this MCP request are too long in total. Ask for fewer at once, or read ' +
    'a transcript at GET /v1/jobs/{id}.';
  return badRequest(message, { status: 413 });
}
