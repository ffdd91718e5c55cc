// POST /mcp: the tools for agents.
import { z } from 'zod';
import { strictestMode } from '@trivium/contract';
import { machine } from '../../../platform/machine.ts';
import { readContentMode } from '../../serve-paid.ts';
import { clientClosedRequest, invalid, parseJson, readText } from '../../middleware/body.ts';
import { challengeOf, mcpPath } from '../oauth.ts';
import { makeAgentClient } from './agent-client.ts';
import type { HttpContext } from '../../context.ts';
import { openResults } from './results.ts';
import type { Route } from '../../route.ts';
import { callerRoute } from '../rows.ts';

export function mcpRoutes(context: HttpContext): Route[] {
  const challenge = (request: Request) => challengeOf(context.settings.public_url, request);
  return [
    callerRoute('POST', mcpPath, { waits: true, challenge }, async ({ request, caller }) => {
      const parsedBody = parseJson(await readText(request));
      checkCount(parsedBody);
      // The caller's policy may be stricter.
      const contentMode = strictestMode('annotate', readContentMode(request.headers));
      const mcp = await loadMcp();
      const results = openResults(context.bytes, caller.account_id, parsedBody);
      const tags = request.headers.get('x-trivium-tags') ?? undefined;
      const client = makeAgentClient(context, caller, tags, results);
      // The number in the marks around text from the web that an agent reads.
      const newMarker = () => machine.randomBytes(8).toString('hex');
      const options = { contentMode, newMarker };
      const newServer = () => mcp.createMcpServer(client, options);
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
    }),
  ];
}

type Mcp = Awaited<ReturnType<typeof loadMcp>>;

/** Loaded at the first call, because loading takes a quarter of a second. */
async function loadMcp() {
  const [{ createMcpServer }, protocol] = await Promise.all([
    import('@trivium/sdk/mcp'),
    import('@modelcontextprotocol/server'),
  ]);
  return { createMcpServer, ...protocol };
}

/**
 * The protocol up to 2025-11-25, whose clients begin with a handshake. There are no sessions, so
 * any replica can answer any request. A client that asks for progress gets a stream of events;
 * others get one body at the end.
 */
async function serveLegacy(
  { WebStandardStreamableHTTPServerTransport: Transport }: Mcp,
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

/** A client sends a few messages at once. Each of them is a separate request. */
const maxMessages = 100;

function checkCount(body: unknown): void {
  if (!Array.isArray(body) || body.length <= maxMessages) return;
  const message = `Send at most ${maxMessages} messages at once.`;
  throw invalid([{ path: '', code: 'too_big', message }]);
}

const Token = z.union([z.string(), z.number()]);

/** Ends the response when the client disconnects. A paid request still completes. */
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
