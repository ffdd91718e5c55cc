// What the environment decides: where the gateway listens, and which upstreams it talks to.
import { expect } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, startRefused } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

scenario(
  'the gateway listens on the host and the port that were set',
  ['settings.port-and-host', 'start.prints-address'],
  async () => {
    const port = freePort();
    await using gateway = await startGateway({ env: { HOST: '127.0.0.1', PORT: String(port) } });
    expect(gateway.url).toBe(`http://127.0.0.1:${port}`);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  },
);

scenario(
  'without any credential every provider is played by the built-in sandbox',
  ['settings.sandbox.auto'],
  async () => {
    await using gateway = await startGateway({ env: { TRIVIUM_SANDBOX: undefined } });
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  },
);

scenario(
  'one credential keeps the built-in sandbox out',
  ['settings.sandbox.auto-with-credential'],
  async () => {
    await using upstream = startUpstream(() => exaAnswer([]));
    await using gateway = await startGateway({
      env: { ...upstream.env, TRIVIUM_SANDBOX: undefined },
    });
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
    const other = await gateway.post('/v1/search', { ...question, provider: 'engine_b' });
    expect(other.status).toBe(503);
  },
);

scenario(
  'the sandbox that is switched on wins over credentials',
  ['settings.sandbox.on'],
  async () => {
    await using upstream = startUpstream(() => exaAnswer([]));
    await using gateway = await startGateway({ env: { ...upstream.env, TRIVIUM_SANDBOX: 'on' } });
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
    expect(upstream.received).toHaveLength(0);
  },
);

scenario('a .env file is read', ['settings.dot-env'], async () => {
  const working_dir = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
  try {
    await writeFile(join(working_dir, '.env'), 'TRIVIUM_DISABLED_PROVIDERS=engine_a\n');
    await using gateway = await startGateway({ working_dir });
    expect((await gateway.post('/v1/search', question)).status).toBe(501);
  } finally {
    await rm(working_dir, { recursive: true });
  }
});

scenario(
  'all faults of the settings are told together, each with its variable',
  ['settings.faults-at-once'],
  async () => {
    const { exit_code, output } = await startRefused({
      env: {
        PORT: 'banana',
        TRIVIUM_SANDBOX: 'perhaps',
        TRIVIUM_BOOTSTRAP_KEY: 'sk_live_short',
        TRIVIUM_DISABLED_PROVIDERS: 'engine_z',
        TRIVIUM_JOB_DEADLINE_MINUTES: '-1',
        EXA_BASE_URL: 'not an address',
        LOG_LEVEL: 'shout',
      },
    });
    expect(exit_code).toBe(1);
    for (const name of [
      'PORT',
      'TRIVIUM_SANDBOX',
      'TRIVIUM_BOOTSTRAP_KEY',
      'TRIVIUM_DISABLED_PROVIDERS',
      'TRIVIUM_JOB_DEADLINE_MINUTES',
      'EXA_BASE_URL',
      'LOG_LEVEL',
    ]) {
      expect(output).toContain(name);
    }
    expect(output).not.toContain('sk_live_short');
    expect(output).not.toMatch(/^\s+at /m);
  },
);

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error('A listening server has a port.');
  return port;
}
