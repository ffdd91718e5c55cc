// The official client of MCP, over HTTP and over the standard streams of the command line.
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Gateway } from '../harness.ts';

const program = join(import.meta.dir, '..', '..', 'cli', 'bin', 'trivium.mjs');

export type Transport = StreamableHTTPClientTransport | StdioClientTransport;
export type Mode = 'legacy' | 'auto' | { pin: string };

export function overHttp(
  { url, key }: Pick<Gateway, 'url' | 'key'>,
  headers: Record<string, string> = { authorization: `Bearer ${key}` },
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
}

export function overStdio({ url, key }: Pick<Gateway, 'url' | 'key'>): StdioClientTransport {
  const env = { PATH: process.env['PATH'] ?? '', TRIVIUM_URL: url, TRIVIUM_API_KEY: key };
  return new StdioClientTransport({ command: 'node', args: [program, 'mcp'], env });
}

/** Connects, lists the tools, so that the client validates every answer, and closes at the end. */
export async function withAgent<T>(
  transport: Transport,
  work: (agent: Client) => Promise<T>,
  mode?: Mode,
): Promise<T> {
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const agent = new Client({ name: 'test-agent', version: '1.0.0' }, options);
  await agent.connect(transport);
  try {
    await agent.listTools();
    return await work(agent);
  } finally {
    await agent.close();
  }
}
