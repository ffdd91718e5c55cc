// The tools of the gateway for agents, as a server of the Model Context Protocol over any client.
import { McpServer } from '@modelcontextprotocol/server';
import type { Client } from './client.ts';
import { registerJobTools } from './mcp/job-tools.ts';
import { registerWebTools } from './mcp/web-tools.ts';
import manifest from '../package.json' with { type: 'json' };

const instructions =
  'Search the web, read pages and transcribe recordings. Every call costs a little money, which ' +
  'each answer states. Search first, then extract the few pages that matter.';

/** The lists of tools and resources change only with the program, so there is nothing to follow. */
const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };

/** The same name and version wherever the tools are served: over HTTP, or by the command line. */
export function createMcpServer(client: Client): McpServer {
  const { version } = manifest;
  const server = new McpServer({ name: 'trivium', version }, { instructions, capabilities });
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
