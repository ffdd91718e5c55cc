// POST /mcp: the tools for agents. Each tool call is dispatched to the public API, so that
// authentication, billing, limits and logs apply as to every request.
import { createClient } from '@trivium/sdk';
import { z } from 'zod';
import { markAgentCall } from '../../middleware/agent-calls.ts';
import { invalid, parseJson, readText } from '../../middleware/body.ts';
import { challengeOf, mcpPath } from '../oauth/place.ts';
import { longestRequestMs } from '../../../platform/time-limits.ts';
import { openResults } from './results.ts';
import type { McpResults } from './results.ts';
import type { ByteBudget } from '../../../platform/byte-budget.ts';
import type { Dispatch } from '../../dispatch.ts';
import type { Route } from '../../route.ts';

interface McpContext {
  dispatch: Dispatch;
  publicUrl: string | undefined;
  bytes: ByteBudget;
}

export function mcpRoutes({ dispatch, publicUrl, bytes }: McpContext): Route[] {
  return [
    {
      method: 'POST',
      path: mcpPath,
      dispatches: true,
      challenge: (request) => challengeOf(publicUrl, request),
      handle: async ({ request, caller }) => {
        const parsedBody = parseJson(await readText(request));
        checkCount(parsedBody);
        const mcp = await loadMcp();
        const results = openResults(bytes, caller.account_id, parsedBody);
        const newServer = () => mcp.createMcpServer(clientFor(request, dispatch, results));
        try {
          const answer = (await mcp.isLegacyRequest(request, parsedBody))
            ? await serveLegacy(mcp, newServer(), request, parsedBody)
            : await mcp
                .createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 })
                .fetch(request, { parsedBody });
          return await results.finish(answer);
        } catch (error) {
          results.close();
          throw error;
        }
      },
    },
  ];
}

type Mcp = Awaited<ReturnType<typeof loadMcp>>;

/** Loaded at the first call, because loading takes a quarter of a second. */
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
 * The protocol up to 2025-11-25, whose clients begin with a handshake. There are no sessions, so
 * any replica can answer any request. A client that asks for progress gets a stream of events,
 * others get one body at the end.
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
    whenDisconnected(request, () => server.close()),
  ]);
}

/** A client sends a few messages at once; each of them is a request of its own. */
const maxMessages = 100;

function checkCount(body: unknown): void {
  if (!Array.isArray(body) || body.length <= maxMessages) return;
  const message = `Send at most ${maxMessages} messages at once.`;
  throw invalid([{ path: '', code: 'too_big', message }]);
}

/** No client reads it: it marks the request as abandoned in the metrics. */
const clientClosedRequest = 499;
const Token = z.union([z.string(), z.number()]);
/** The dispatched request keeps its own limits; this one must not end before it. */
const callTimeoutMs = longestRequestMs;

/** Ends the response when the client disconnects; the dispatched call still completes. */
function whenDisconnected({ signal }: Request, close: () => Promise<void>): Promise<Response> {
  return new Promise((resolve) => {
    const disconnect = () => {
      void close();
      resolve(new Response(null, { status: clientClosedRequest }));
    };
    signal.addEventListener('abort', disconnect, { once: true });
  });
}

function wantsProgress(body: unknown): boolean {
  const withToken = z.object({ params: z.object({ _meta: z.object({ progressToken: Token }) }) });
  return [body].flat().some((message) => withToken.safeParse(message).success);
}

function clientFor(request: Request, dispatch: Dispatch, results: McpResults) {
  const credential = request.headers.get('authorization');
  const tags = request.headers.get('x-trivium-tags');
  return createClient({
    url: new URL(request.url).origin,
    api_key: 'replaced-by-the-credential-of-the-caller',
    max_retries: 0,
    timeout_ms: callTimeoutMs,
    fetch: async (url, init) => {
      const call = new Request(url, init);
      if (credential === null) call.headers.delete('authorization');
      else call.headers.set('authorization', credential);
      // The client library makes a key that no caller knows, so no caller could repeat the request.
      call.headers.delete('idempotency-key');
      if (tags !== null) call.headers.set('x-trivium-tags', tags);
      markAgentCall(call, results.wants);
      return results.count(call, await dispatch(call));
    },
  });
}
