// The tools of the gateway for agents, as a server of the Model Context Protocol over any client.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Client } from './client.ts';
import { registerJobTools } from './mcp/job-tools.ts';
import { registerWebTools } from './mcp/web-tools.ts';

export interface McpOptions {
  client: Client;
  version: string;
}

const instructions =
  'Search the web, read pages and transcribe recordings. Every call costs a little money, which ' +
  'each answer states. Search first, then extract the few pages that matter.';

export function createMcpServer({ client, version }: McpOptions): McpServer {
  const server = new McpServer({ name: 'trivium', version }, { instructions });
  registerWebTools(server, client);
  registerJobTools(server, client);
  server.registerResource(
    'providers',
    'trivium://providers',
    {
      title: 'Providers',
      description: 'Who can be asked on this gateway, what each can do, and what it costs.',
      mimeType: 'application/json',
    },
    async (uri) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify(await client.providers()),
        },
      ],
    }),
  );
  return server;
}
