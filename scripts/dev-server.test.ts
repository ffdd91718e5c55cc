// The development server: pages from the sources, calls to the gateway, reloads after a change.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevServer } from './dev-server.ts';

test('the server builds pages, forwards calls to the gateway, and reports changes', async () => {
  const gateway = Bun.serve({
    port: 0,
    fetch: (request) => Response.json([request.method, request.headers.get('origin')]),
  });
  const folder = mkdtempSync(join(tmpdir(), 'trivium-dev-'));
  const server = await startDevServer({
    gateway: gateway.url.origin,
    port: 0,
    folder,
    say: () => undefined,
  });
  try {
    const page = await (await fetch(`${server.url}/requests`)).text();
    expect(page).toContain('/dev/reload.js');
    const script = /src="(\/assets\/main[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await fetch(server.url + script)).headers.get('content-type')).toContain('javascript');
    const call = { method: 'POST', headers: { origin: server.url } };
    const answer = await fetch(`${server.url}/admin/v1/accounts`, call);
    expect(await answer.json()).toEqual(['POST', gateway.url.origin]);
    const changes = (await fetch(`${server.url}/dev/changes`)).body?.getReader();
    const read = async () => new TextDecoder().decode((await changes?.read())?.value);
    expect(await read()).toBe(': listening\n\n');
    writeFileSync(join(folder, 'component.tsx'), 'changed');
    expect(await read()).toBe('data: changed\n\n');
    await changes?.cancel();
  } finally {
    await server.stop();
    await gateway.stop(true);
    rmSync(folder, { recursive: true });
  }
}, 60_000);
