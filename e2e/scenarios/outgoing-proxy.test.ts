// A network in which providers are reached only through a proxy: the gateway uses HTTPS_PROXY for
// them, and not for this machine.
import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { certificate, certificateKey } from '@trivium/sandbox/certificate';
import { emptyFolder } from '../empty-folder.ts';
import { startGatewayProcess } from '../harness.ts';
import { exaAnswer, upstreamKey } from '../upstream.ts';

test('a provider is called through HTTPS_PROXY, with its password, and the sandbox directly', async () => {
  const provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: certificate, key: certificateKey },
    fetch: () => exaAnswer([{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }]),
  });
  await using proxy = await startProxy(provider.port ?? 0);
  await using folder = await emptyFolder();
  try {
    const authority = join(folder.path, 'authority.pem');
    await writeFile(authority, certificate);
    const proxies = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const env = {
      ...proxies,
      NODE_EXTRA_CA_CERTS: authority,
      TRIVIUM_SANDBOX: 'off',
      EXA_API_KEY: upstreamKey,
      EXA_BASE_URL: 'https://site.test',
    };
    await using behind = await startGatewayProcess({ env });
    const { status, body } = await behind.post('/v1/search', { query: 'solar' });
    expect([status, body]).toMatchObject([200, { results: [{ url: 'https://a.example/' }] }]);
    expect(proxy.asked).toEqual(['CONNECT site.test:443 ada:secret']);

    await using direct = await startGatewayProcess({ env: { ...env, NO_PROXY: 'site.test' } });
    expect((await direct.post('/v1/search', { query: 'solar' })).status).toBe(502);
    await using sandbox = await startGatewayProcess({ env: proxies });
    expect((await sandbox.post('/v1/search', { query: 'solar' })).status).toBe(200);
    expect(proxy.asked).toHaveLength(1);
  } finally {
    await provider.stop(true);
  }
});

/** Every tunnel ends at this port, whatever its target is. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket: Socket) => {
    const [, password = ''] = (request.headers['proxy-authorization'] ?? '').split(' ');
    asked.push(`CONNECT ${request.url} ${Buffer.from(password, 'base64').toString()}`);
    const tunnel = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://ada:secret@127.0.0.1:${own}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
