// The MCP tools, called by the official MCP inspector on the command line.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sharedGateway } from '../harness.ts';
import { runToEnd } from '../run-to-end.ts';

const root = join(import.meta.dir, '..', '..');
const inspector = join(root, 'node_modules', '@modelcontextprotocol', 'inspector-cli', 'build');
const trivium = join(root, 'cli', 'bin', 'trivium.mjs');
const gateway = sharedGateway();

async function inspect(target: readonly string[], asked: readonly string[]): Promise<unknown> {
  const { code, out, err } = await runToEnd(['node', 'index.js', ...target, '--method', ...asked], {
    // The inspector looks for its manifest next to its working directory.
    cwd: inspector,
    env: {
      PATH: process.env['PATH'],
      TRIVIUM_URL: gateway().url,
      TRIVIUM_API_KEY: gateway().key,
    },
  });
  if (code !== 0) throw new Error(`The inspector failed: ${out}${err}`);
  return JSON.parse(out) as unknown;
}

const overHttp = () => {
  const key = `Authorization: Bearer ${gateway().key}`;
  return [`${gateway().url}/mcp`, '--transport', 'http', '--header', key];
};
const named = (...names: string[]) =>
  names.map((name): unknown => expect.objectContaining({ name }));

test.concurrent('the inspector lists the tools over standard streams', async () => {
  expect(await inspect(['node', trivium, 'mcp'], ['tools/list'])).toEqual({
    tools: named('search', 'extract', 'read_and_search', 'transcribe', 'get_job', 'report_results'),
  });
});

test.concurrent('the inspector calls a tool and shows both parts of its answer', async () => {
  const call = ['tools/call', '--tool-name', 'search', '--tool-arg', 'query=solar'];
  expect(await inspect(overHttp(), [...call, '--tool-arg', 'max_results=1'])).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('[1] ') }],
    structuredContent: { provider: 'engine_a', results: [{ url: expect.any(String) }] },
  });
});

test.concurrent('the inspector reads the providers', async () => {
  const uri = 'trivium://providers';
  expect(await inspect(overHttp(), ['resources/read', '--uri', uri])).toMatchObject({
    contents: [{ uri, text: expect.stringContaining('"id":"engine_a"') }],
  });
});
