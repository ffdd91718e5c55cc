// Start and stop of the process: its output, why it refuses to start, draining, crash recovery.
import { test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, startRefused, startGatewayProcess } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('only the first start prints a key, together with a curl command', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGatewayProcess({
    env: { ...upstream.env, TRIVIUM_BOOTSTRAP_KEY: undefined },
  });
  proves(['money.key.shape', 'authentication.key-prefix'], () => {
    expect(gateway.output()).toContain(gateway.url);
    expect(gateway.output()).toMatch(/\bsk_live_[\w-]{43}(?![\w-])/);
  });
  proves('start.prints-curl', () =>
    expect(gateway.output()).toContain(`curl ${gateway.url}/v1/search`),
  );
  await proves('settings.first-key', async () =>
    expect((await gateway.post('/v1/search', question)).status).toBe(200),
  );

  expect(await gateway.stop()).toBe(0);
  await gateway.restart();
  expect(gateway.output()).toContain(gateway.url);
  proves(['money.key.shown-once', 'settings.first-key'], () =>
    expect(gateway.output()).not.toMatch(/sk_live_[\w-]{43}/),
  );
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
});

test('--open opens the set-up link in a browser', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trivium-open-'));
  const opened = join(home, 'opened');
  await writeFile(join(home, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, {
    mode: 0o755,
  });
  const main = join(import.meta.dir, '../../server/src/main.ts');
  const gateway = Bun.spawn([process.execPath, '--no-env-file', main, '--open'], {
    env: { PATH: `${home}:${process.env['PATH']}`, PORT: '0', TRIVIUM_DATA_DIR: home },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  try {
    const address = await waitFor(() => readFile(opened, 'utf8').catch(() => ''), {
      what: 'the link is opened',
    });
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join#\S+$/);
  } finally {
    gateway.kill();
    await gateway.exited;
    await rm(home, { recursive: true, force: true });
  }
  expect(await new Response(gateway.stdout).text()).toContain('  set up     http');
});

test('a second process on the same data directory is refused', async () => {
  await using gateway = await startGateway();
  const { data_dir, store_dir } = gateway;
  await proves('settings.data-dir.one-process', async () => {
    expectOneSentence(await startRefused({ data_dir }), data_dir);
  });
  proves('settings.data-dir', () =>
    expect(existsSync(join(store_dir, 'trivium.sqlite'))).toBe(true),
  );
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
});

test('a port in use is reported in one sentence', async () => {
  const occupant = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  try {
    const port = String(occupant.port);
    await proves('settings.port-in-use', async () => {
      const env = { PORT: port, TRIVIUM_ADMIN_TOKEN: 'operator-token-of-this-scenario-0815' };
      expectOneSentence(await startRefused({ env }), port);
    });
    // The key is shown, because the store has only its digest and the next start cannot show it.
    const env = { PORT: port, TRIVIUM_BOOTSTRAP_KEY: undefined };
    const { output } = await startRefused({ env });
    expect(output).toMatch(/op_[\w-]{43}[^]*sk_(?:live|test)_[\w-]{43}/);
  } finally {
    await occupant.stop(true);
  }
});

test('an unusable data directory is reported in one sentence', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
  try {
    // A file in place of the directory fails for every user, root included.
    const dataDir = join(dir, 'file');
    await writeFile(dataDir, 'not a directory');
    await proves('settings.data-dir.unusable', async () => {
      expectOneSentence(await startRefused({ data_dir: dataDir }), dataDir);
    });
    const below = join(dataDir, 'below');
    await proves('settings.data-dir.unusable', async () => {
      expectOneSentence(await startRefused({ data_dir: below }), below);
    });
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('SIGTERM lets a request in flight finish, and then the process ends with 0', async () => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    arrived.resolve();
    await released.promise;
    return exaAnswer([{ url: 'https://example.org/', title: 'Late but whole' }]);
  });
  await using gateway = await startGatewayProcess({ env: upstream.env });
  const answering = gateway.post('/v1/search', question);
  await arrived.promise;
  const stopping = gateway.stop('SIGTERM');
  await untilClosed(gateway.url);
  released.resolve();
  const answer = await answering;
  await proves('stop.drains', async () => {
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Late but whole');
    expect(await stopping).toBe(0);
  });
});

test('SIGTERM waits for a provider whose caller has disconnected, and the caller pays', async () => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    arrived.resolve();
    await released.promise;
    return exaAnswer([]);
  });
  const data = await mkdtemp(join(tmpdir(), 'trivium-left-'));
  const env = { ...upstream.env, TRIVIUM_DATA_DIR: data };
  await using gateway = await startGatewayProcess({ env });
  const connection = new AbortController();
  const asked = fetch(`${gateway.url}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: connection.signal,
  }).catch(() => 'disconnected');
  await arrived.promise;
  connection.abort();
  expect(await asked).toBe('disconnected');
  const stopping = gateway.stop('SIGTERM');
  await untilClosed(gateway.url);
  released.resolve();
  await proves('stop.drains', async () => expect(await stopping).toBe(0));
  await using again = await startGateway({ env });
  const { body } = await again.get('/v1/balance');
  proves('money.left.after-call', () =>
    expect(body).toMatchObject({ balance_usd: 9.993, held_usd: 0 }),
  );
  await again.stop();
  await rm(data, { recursive: true });
});

test('after a kill -9 the same key still works', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGatewayProcess({
    sandbox: sandbox.url,
    env: { TRIVIUM_BOOTSTRAP_KEY: undefined },
  });
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  for (let kills = 0; kills < 3; kills += 1) {
    await gateway.kill9();
    await gateway.restart();
    await proves('stop.kill-keeps-keys', async () =>
      expect((await gateway.post('/v1/search', question)).status).toBe(200),
    );
  }
  expect(await sandbox.calls('/exa')).toHaveLength(4);
});

function expectOneSentence(
  { exitCode, output }: { exitCode: number; output: string },
  subject: string,
): void {
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(subject);
  expect(exitCode).toBe(1);
}

/** Waits until the gateway refuses new connections; a late reaction to the signal is allowed. */
async function untilClosed(url: string): Promise<void> {
  const isOpen = () =>
    fetch(`${url}/healthz`, { keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(isOpen, { what: 'new connections are refused', until: (open) => !open });
}
