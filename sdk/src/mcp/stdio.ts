// The protocol over standard input and output, until the agent closes them.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '../client.ts';
import { createMcpServer } from '../mcp.ts';
import manifest from '../../package.json' with { type: 'json' };

export async function serveOverStdio(client: Client, signal: AbortSignal): Promise<void> {
  const server = createMcpServer({ client, version: manifest.version });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
