// The MCP server, called by the official client of the protocol, over HTTP and standard streams.
import { describe, test } from 'bun:test';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const bin = join(import.meta.dir, '..', '..', 'cli', 'bin', 'trivium.mjs');
const gateway = sharedGateway();

function overHttp(key = gateway().key) {
  return new StreamableHTTPClientTransport(new URL(`${gateway().url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
}

function overStdio() {
  const env = { PATH: process.env['PATH'] ?? '' };
  return new StdioClientTransport({
    command: 'node',
    args: [bin, 'mcp'],
    env: { ...env, TRIVIUM_URL: gateway().url, TRIVIUM_API_KEY: gateway().key },
  });
}

async function withAgent<T>(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  work: (agent: Client) => Promise<T>,
): Promise<T> {
  const agent = new Client({ name: 'test-agent', version: '1.0.0' });
  await agent.connect(transport);
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}

async function call(agent: Client, name: string, input: Record<string, unknown>) {
  const request = { name, arguments: input };
  const result = CallToolResultSchema.parse(await agent.callTool(request));
  const [first] = result.content;
  return { ...result, text: first?.type === 'text' ? first.text : '' };
}

describe.each([
  ['HTTP', overHttp],
  ['standard streams', overStdio],
])('over %s', (_name, open) => {
  test('the tools and the providers are offered', async () => {
    await withAgent(open(), async (agent) => {
      const { tools } = await agent.listTools();
      await proves('surface.mcp', async () => {
        expect(tools.map(({ name }) => name)).toEqual([
          'search',
          'extract',
          'read_and_search',
          'transcribe',
          'get_job',
          'report_results',
        ]);
        const { resources } = await agent.listResources();
        expect(resources.map(({ uri }) => uri)).toEqual(['trivium://providers']);
        const { contents } = await agent.readResource({ uri: 'trivium://providers' });
        expect(JSON.stringify(contents)).toContain('engine_a');
      });
    });
  });

  test('a search returns text for the model and the same as structured data', async () => {
    await withAgent(open(), async (agent) => {
      const input = { query: 'solar energy storage', max_results: 2 };
      const { text, structuredContent, isError } = await call(agent, 'search', input);
      proves('surface.mcp', () => {
        expect(isError).toBeUndefined();
        expect(text).toContain('[1] ');
        expect(text).toMatch(/\(Exa \(engine_a\), 0\.\d+ USD, srch_[0-9a-f]{32}\)$/);
        expect(structuredContent).toMatchObject({ provider: 'engine_a', results: [{}, {}] });
      });
      expect(text).not.toContain('raw');
      const [id] = /srch_[0-9a-f]{32}/.exec(text) ?? [];
      const [url] = /https:\S+/.exec(text) ?? [];
      const reported = await call(agent, 'report_results', { id, cited: [url] });
      expect(reported.structuredContent).toMatchObject({ cited: 1, unknown: [] });
    });
  });

  test('extracts pages, and names pages that cannot be fetched', async () => {
    await withAgent(open(), async (agent) => {
      const urls = ['https://gridlines.example/storage/solar-storage-guide', 'https://no.example/'];
      const { text } = await call(agent, 'extract', { urls, max_chars: 200 });
      expect(text).toContain('Solar panels');
      expect(text).toContain('Could not read https://no.example/');
    });
  });
});

test('a tool call is charged like any other request', async () => {
  const read = async () =>
    ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
  const before = await read();
  const cost = await withAgent(overHttp(), async (agent) => {
    const { structuredContent } = await call(agent, 'search', { query: 'wind' });
    return (structuredContent as { usage: { cost_usd: number } }).usage.cost_usd;
  });
  expect(cost).toBeGreaterThan(0);
  expect(await read()).toBeCloseTo(before - cost, 6);
});

test('an error that the model can correct is a result, not an exception', async () => {
  await withAgent(overHttp(), async (agent) => {
    const id = `job_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
    const { isError, text } = await call(agent, 'get_job', { id });
    expect(isError).toBe(true);
    expect(text).toContain('not_found');
  });
});

test('a vendor may be named instead of its id', async () => {
  await withAgent(overHttp(), async (agent) => {
    const { structuredContent, text } = await call(agent, 'search', {
      query: 'wind',
      provider: 'You.com',
    });
    expect(structuredContent).toMatchObject({ provider: 'engine_j' });
    expect(text).toContain('(You.com (engine_j), ');
    const { tools } = await agent.listTools();
    const [search] = tools.filter(({ name }) => name === 'search');
    expect(search?.inputSchema.properties?.['provider']).toMatchObject({
      enum: expect.arrayContaining(['auto', 'fusion', 'you', 'engine_j']),
    });
    const wrong = await call(agent, 'extract', { urls: ['https://a.example/'], provider: 'brave' });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('provider')]);
  });
});

test('a wrong key gives a 401 before the body is read', async () => {
  const refused = await withAgent(overHttp('sk_live_wrong'), async () => 'accepted').catch(String);
  expect(refused).not.toBe('accepted');
  const { status } = await gateway().post('/mcp', {}, { authorization: null });
  expect(status).toBe(401);
});

test('other methods are refused with the allowed one', async () => {
  const { status, headers } = await gateway().get('/mcp');
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});
