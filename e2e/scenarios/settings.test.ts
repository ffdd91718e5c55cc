// Settings: where the gateway listens, and which upstreams it calls.
import { test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, startRefused, startGatewayProcess } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('the gateway listens on the configured host and port', async () => {
  const port = freePort();
  await using gateway = await startGatewayProcess({
    env: { HOST: '127.0.0.1', PORT: String(port) },
  });
  proves('settings.port-and-host', () => expect(gateway.url).toBe(`http://127.0.0.1:${port}`));
  proves('start.prints-address', () => expect(gateway.output()).toContain(`:${port}`));
  await proves('settings.port-and-host', async () =>
    expect((await gateway.post('/v1/search', question)).status).toBe(200),
  );
});

test('without any credential the built-in sandbox serves every provider', async () => {
  await using gateway = await startGatewayProcess({
    env: { TRIVIUM_SANDBOX: undefined, TRIVIUM_BOOTSTRAP_KEY: undefined },
  });
  const key = /Bearer (sk_test_[\w-]{43})/.exec(gateway.output())?.[1] ?? '';
  const answer = await gateway.post('/v1/search', question, { authorization: `Bearer ${key}` });
  proves('settings.sandbox.auto', () => expect(answer.status).toBe(200));
  expect(answer.headers.get('x-trivium-sandbox')).toBe('true');
  for (const path of ['/healthz', '/readyz', '/v1/providers']) {
    const { body } = await gateway.get(path, { authorization: `Bearer ${key}` });
    expect(body).toMatchObject({ mode: 'sandbox' });
  }
});

const liveKey = `sk_live_${'k'.repeat(43)}`;
const withoutAny = { TRIVIUM_SANDBOX: undefined, TRIVIUM_BOOTSTRAP_KEY: undefined };

test('a bootstrap key of either form works in the sandbox', async () => {
  await using gateway = await startGateway({
    env: { TRIVIUM_SANDBOX: undefined, TRIVIUM_BOOTSTRAP_KEY: liveKey },
  });
  const answer = await gateway.post('/v1/search', question);
  expect([answer.status, answer.headers.get('x-trivium-sandbox')]).toEqual([200, 'true']);
});

test('a live store is not replaced by the sandbox when its credential is missing or misspelt', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
  try {
    await using upstream = startUpstream(() => exaAnswer([]));
    const live = await startGateway({ data_dir: dir, env: { ...upstream.env, ...withoutAny } });
    const testKey = { authorization: `Bearer sk_test_${'k'.repeat(43)}` };
    const { status, text, headers } = await live.post('/v1/search', question, testKey);
    expect([status, headers.get('x-trivium-sandbox')]).toEqual([401, null]);
    expect(text).toContain('which a live gateway does not accept. Its keys start with sk_live_');
    await live.close();
    const missing = await startRefused({ data_dir: dir, env: withoutAny });
    expect(missing.output).toContain('is a live store');
    const misspelt = { ...withoutAny, EXA_APIKEY: 'key', TRIVIUM_SECERT: 's'.repeat(32) };
    const { exitCode, output } = await startRefused({ data_dir: dir, env: misspelt });
    expect(exitCode).toBe(1);
    expect(output).toContain('Did you mean EXA_API_KEY?');
    expect(output).toContain('Did you mean TRIVIUM_SECRET?');
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('one credential disables the built-in sandbox', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGateway({
    env: { ...upstream.env, TRIVIUM_SANDBOX: undefined },
  });
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  await proves('settings.sandbox.auto-with-credential', async () => {
    expect(upstream.received).toHaveLength(1);
    const other = await gateway.post('/v1/search', { ...question, provider: 'engine_b' });
    expect(other.status).toBe(503);
  });
});

test('TRIVIUM_SANDBOX=on overrides credentials', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGateway({ env: { ...upstream.env, TRIVIUM_SANDBOX: 'on' } });
  await proves('settings.sandbox.on', async () => {
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
    expect(upstream.received).toHaveLength(0);
  });
});

test('a .env file is read', async () => {
  const workingDir = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
  try {
    await writeFile(join(workingDir, '.env'), 'TRIVIUM_DISABLED_PROVIDERS=engine_a\n');
    await using gateway = await startGatewayProcess({ workingDir });
    await proves('settings.dot-env', async () =>
      expect((await gateway.post('/v1/search', question)).status).toBe(501),
    );
  } finally {
    await rm(workingDir, { recursive: true });
  }
});

test('all errors in the settings are reported together, each with its variable', async () => {
  const { exitCode, output } = await startRefused({
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
  proves('settings.faults-at-once', () => {
    expect(exitCode).toBe(1);
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
  });
  expect(output).not.toContain('sk_live_short');
  expect(output).not.toMatch(/^\s+at /m);
});

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error('A listening server has a port.');
  return port;
}
