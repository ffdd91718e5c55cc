// Settings: where the gateway listens, and which upstreams it calls.
import { test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyFolder } from '../empty-folder.ts';
import { freePort } from '../free-port.ts';
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
    env: withoutAny,
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

const withoutAny = { TRIVIUM_SANDBOX: undefined, TRIVIUM_BOOTSTRAP_KEY: undefined };

test('a live store is not replaced by the sandbox when its credential is missing or misspelt', async () => {
  await using folder = await emptyFolder();
  const dir = folder.path;
  await using upstream = startUpstream(() => exaAnswer([]));
  await using live = await startGateway({ data_dir: dir, env: { ...upstream.env, ...withoutAny } });
  const testKey = { authorization: `Bearer sk_test_${'k'.repeat(43)}` };
  const { status, text, headers } = await live.post('/v1/search', question, testKey);
  expect([status, headers.get('x-trivium-sandbox')]).toEqual([401, null]);
  expect(text).toContain('which a live gateway does not accept. Its keys start with sk_live_');
  await live.stop();
  const missing = await startRefused({ data_dir: dir, env: withoutAny });
  expect(missing.output).toContain('is a live store');
  const misspelt = { ...withoutAny, EXA_APIKEY: 'key', TRIVIUM_SECERT: 's'.repeat(32) };
  const { exitCode, output } = await startRefused({ data_dir: dir, env: misspelt });
  expect(exitCode).toBe(1);
  expect(output).toContain('Did you mean EXA_API_KEY?');
  expect(output).toContain('Did you mean TRIVIUM_SECRET?');
});

test('a .env file is read', async () => {
  await using folder = await emptyFolder();
  await writeFile(join(folder.path, '.env'), 'TRIVIUM_DISABLED_PROVIDERS=engine_a\n');
  await using gateway = await startGatewayProcess({ workingDir: folder.path });
  await proves('settings.dot-env', async () =>
    expect((await gateway.post('/v1/search', question)).status).toBe(501),
  );
});
