// Serves the protocol over standard input and output until the agent closes them.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Client } from '../client.ts';
import { createMcpServer } from '../mcp.ts';
import type { ToolOptions } from '../tool-types.ts';

export async function serveOverStdio(
  client: Client,
  signal: AbortSignal,
  options: ToolOptions,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // The agent's first message states its protocol version.
  const served = serveStdio(() => createMcpServer(client, options), { maxSubscriptions: 0 });
  await ended;
  await served.close();
}
