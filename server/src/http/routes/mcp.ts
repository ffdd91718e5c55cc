// POST /mcp: the tools for agents. Each call goes through the public API of this very gateway, so
// that keys, money, limits and logs are the same as everywhere.
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
        const mcp = await loadMcp();
        const newServer = () => mcp.createMcpServer(clientFor(request, dispatch));
        const answer = (await mcp.isLegacyRequest(request, parsedBody))
          ? await serveLegacy(mcp, newServer(), request, parsedBody)
          : await mcp
              .createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 })
              .fetch(request, { parsedBody });
        return new Response(answer.body, answer);
      },
    },
  ];
}

type Mcp = Awaited<ReturnType<typeof loadMcp>>;

/** Loaded at the first call: a quarter of a second that a start need not wait for. */
async function loadMcp() {
  const [{ createMcpServer }, protocol] = await Promise.all([
    import('@trivium/sdk/mcp'),
    import('@modelcontextprotocol/server'),
  ]);
  const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } = protocol;
  return {
    createMcpServer,
    createMcpHandler,
    isLegacyRequest,
    Transport: WebStandardStreamableHTTPServerTransport,
  };
}

/**
 * The protocol up to 2025-11-25, whose clients begin with a handshake. Without sessions any replica
 * can answer any request. A client that asks for progress gets a stream of events, any other one
 * body when all is done.
 */
async function serveLegacy(
  { Transport }: Mcp,
  server: ReturnType<Mcp['createMcpServer']>,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const transport = new Transport({ enableJsonResponse: !wantsProgress(parsedBody) });
  await server.connect(transport);
  return Promise.race([
    transport.handleRequest(request, { parsedBody }),
    whenLeft(request, () => server.close()),
  ]);
}

/** Nobody reads it; it only ends the request in the figures. */
const client_left = 499;
const Token = z.union([z.string(), z.number()]);
/** A call inside the house needs no second try; the longest tool waits four minutes. */
const call_limit_ms = 250_000;

/** A caller who has left is not answered; what was begun for it is finished and paid elsewhere. */
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
