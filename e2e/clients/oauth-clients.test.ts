// OAuth for agents, with the official clients of MCP: each finds the gateway's metadata, registers,
// sends a person to the page, and gets its tokens.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type * as olderAuth from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import * as older from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { browserTest, launchChromium, visit } from '../browser/visit.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { runToEnd } from '../run-to-end.ts';
import { defaultPassword, operator } from '../security/visitor.ts';
import type { Visitor } from '../security/visitor.ts';

let gateway: Gateway;
let ada: Visitor;
beforeAll(async () => {
  gateway = await startGateway();
  ada = await operator(gateway);
});
afterAll(() => gateway.close());

const callback = 'http://127.0.0.1:3030/callback';
const search = { name: 'search', arguments: { query: 'solar' } };

/** Stores the data of the client, and the address that it opens in a browser. */
function memory() {
  const kept: Record<string, unknown> = {};
  const provider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'TypeScript agent',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    state: () => 'state-of-the-agent',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void (kept['url'] = url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => String(kept['verifier']),
  };
  return { kept, provider };
}

/** What the page does when the signed-in person presses Allow. */
async function allow(url: URL): Promise<URL> {
  const body = { ...Object.fromEntries(url.searchParams), allow: true };
  const answer = await ada.ask('POST', '/oauth/consent', { body });
  return new URL(((await answer.json()) as { redirect_to: string }).redirect_to);
}

describe('the TypeScript client', () => {
  test('is authorized, and refreshes its token by itself', async () => {
    const { kept, provider } = memory();
    const authProvider = provider as OAuthClientProvider;
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider });
    const transport = open();
    const agent = new Client({ name: 'agent', version: '1' });
    expect(await agent.connect(transport).then(() => 'served', String)).toContain('Unauthorized');
    const asked = kept['url'] as URL;
    expect(asked.pathname).toBe('/oauth/authorize');
    expect(asked.searchParams.get('resource')).toBe(`${gateway.url}/mcp`);
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    const back = await allow(asked);
    expect(back.searchParams.get('state')).toBe('state-of-the-agent');
    await transport.finishAuth(back.searchParams);
    const again = new Client({ name: 'agent', version: '1' });
    await again.connect(open());
    expect((await again.callTool(search)).structuredContent).toMatchObject({
      provider: 'engine_a',
    });
    await again.close();
    const tokens = kept['tokens'] as { access_token: string };
    kept['tokens'] = { ...tokens, access_token: `mcp_${'x'.repeat(43)}` };
    const later = new Client({ name: 'agent', version: '1' });
    await later.connect(open());
    expect((await later.callTool(search)).isError).toBeUndefined();
    await later.close();
  });

  test('of the older package is authorized', async () => {
    const { kept, provider } = memory();
    const authProvider = provider as unknown as olderAuth.OAuthClientProvider;
    const open = () =>
      new older.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider });
    const transport = open();
    const agent = new OlderClient({ name: 'agent', version: '1' });
    expect(await agent.connect(transport).then(() => 'served', String)).toContain('Unauthorized');
    const back = await allow(kept['url'] as URL);
    await transport.finishAuth(back.searchParams.get('code') ?? '');
    const again = new OlderClient({ name: 'agent', version: '1' });
    await again.connect(open());
    expect((await again.callTool(search)).structuredContent).toBeDefined();
    await again.close();
  });
});

// The first installation takes a while, more than a test may, so it runs before the tests.
const requirements = join(import.meta.dir, '../python/mcp-client.txt');
const python = await preparePython({ requirements });
const program = 'missing' in python ? '' : python.program;

testWhere('missing' in python ? python.missing : undefined)(
  'the Python client is authorized',
  async () => {
    const signedIn = await fetch(`${gateway.url}/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: gateway.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: defaultPassword }),
    });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const script = join(import.meta.dir, '../python/oauth_client.py');
    const { out, err } = await runToEnd(
      [program, '-E', '-s', ...keepCompiled, script, gateway.url, cookie],
      { env: { PATH: process.env['PATH'], NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' } },
    );
    expect([out, err]).toEqual([expect.stringContaining('"is_error": false'), expect.any(String)]);
  },
);

browserTest('a person signs in on the page, reads who asks, and allows it', async () => {
  const { kept, provider } = memory();
  const received = Promise.withResolvers<URL>();
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      if (new URL(url).pathname === '/callback') received.resolve(new URL(url));
      return new Response('You can close this page.');
    },
  });
  // The port differs from the registered one, as it does for programs on a person's machine.
  const own = `http://127.0.0.1:${server.port}/callback`;
  const authProvider = { ...provider, redirectUrl: own } as OAuthClientProvider;
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider });
  const transport = open();
  const agent = new Client({ name: 'agent', version: '1' });
  await agent.connect(transport).catch(() => undefined);
  await using browser = await launchChromium();
  await using visitor = await visit(browser);
  const { page, inspect } = visitor;
  await page.goto(String(kept['url']));
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password').fill(defaultPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Allow TypeScript agent?' }).waitFor();
  expect(await page.getByText(`127.0.0.1:${server.port}`).count()).toBe(1);
  expect(await inspect()).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  const back = await received.promise;
  await transport.finishAuth(back.searchParams);
  const again = new Client({ name: 'agent', version: '1' });
  await again.connect(open());
  expect((await again.callTool(search)).isError).toBeUndefined();
  await again.close();
});
