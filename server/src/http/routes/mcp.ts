// POST /mcp: the tools for agents. Each call goes through the public API of this very gateway, so
// that keys, money, limits and logs are the same as everywhere.
import { api_version } from '@trivium/contract';
import { createClient } from '@trivium/sdk';
import { z } from 'zod';
import type { Route } from '../app.ts';
import { parseJson, readText } from '../body.ts';
import type { Dispatch } from '../dispatch.ts';

export function mcpRoutes(dispatch: Dispatch): Route[] {
  return [
    {
      method: 'POST',
      path: '/mcp',
      passes_on: true,
      handle: async ({ request }) => {
        const parsedBody = parseJson(await readText(request));
        const { createMcpServer, streamable } = await loadMcp();
        const server = createMcpServer({ client: clientFor(request, dispatch), version });
        // Without sessions any replica can answer any request. Who wants to hear of the progress
        // gets a stream of events, anybody else one body when all is done.
        const transport = new streamable.WebStandardStreamableHTTPServerTransport({
          enableJsonResponse: !wantsProgress(parsedBody),
        });
        await server.connect(transport);
        const answer = await Promise.race([
          transport.handleRequest(request, { parsedBody }),
          whenLeft(request, () => server.close()),
        ]);
        return new Response(answer.body, answer);
      },
    },
  ];
}

/** Loaded at the first call: a quarter of a second that a start need not wait for. */
async function loadMcp() {
  const [{ createMcpServer }, streamable] = await Promise.all([
    import('@trivium/sdk/mcp'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  return { createMcpServer, streamable };
}

/** Nobody reads it; it only ends the request in the figures. */
const client_left = 499;
const Token = z.union([z.string(), z.number()]);
const version = api_version;
/** A call inside the house needs no second try; the longest tool waits four minutes. */
const call_limit_ms = 250_000;

/** A caller who has left is neither waited for nor charged for more. */
function whenLeft({ signal }: Request, close: () => Promise<void>): Promise<Response> {
  return new Promise((resolve) => {
    const leave = () => {
      void close();
      resolve(new Response(null, { status: client_left }));
    };
    signal.addEventListener('abort', leave, { once: true });
  });
}

function wantsProgress(body: unknown): boolean {
  const asked = z.object({ params: z.object({ _meta: z.object({ progressToken: Token }) }) });
  return [body].flat().some((message) => asked.safeParse(message).success);
}

function clientFor(request: Request, dispatch: Dispatch) {
  const [, api_key = ''] = /^Bearer +(\S+)/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return createClient({
    url: new URL(request.url).origin,
    api_key,
    max_retries: 0,
    timeout_ms: call_limit_ms,
    fetch: async (url, init) => {
      const asked = new Request(url, init);
      // Under a key a request goes on for whoever repeats it, and nobody knows the key made here.
      asked.headers.delete('idempotency-key');
      return dispatch(asked);
    },
  });
}
