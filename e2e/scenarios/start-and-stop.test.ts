// The life of the process: what it prints, why it refuses, how it stops, what a crash leaves.
import { expect } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, startRefused } from '../harness.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const DRAIN_NOTICE_LIMIT_MS = 5000;
const POLL_MS = 20;

scenario(
  'the first start prints the address, a key that works and a curl command; the second no key',
  [
    'start.prints-curl',
    'settings.first-key',
    'money.key.shape',
    'money.key.shown-once',
    'authentication.key-prefix',
  ],
  async () => {
    await using gateway = await startGateway({ env: { TRIVIUM_BOOTSTRAP_KEY: undefined } });
    expect(gateway.output()).toContain(gateway.url);
    expect(gateway.output()).toMatch(/\bsk_live_[\w-]{43}(?![\w-])/);
    expect(gateway.output()).toContain(`curl ${gateway.url}/v1/search`);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);

    expect(await gateway.stop()).toBe(0);
    await gateway.restart();
    expect(gateway.output()).toContain(gateway.url);
    expect(gateway.output()).not.toMatch(/sk_live_[\w-]{43}/);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  },
);

scenario(
  'a second process on the same data directory is refused, and the first goes on',
  ['settings.data-dir', 'settings.data-dir.one-process'],
  async () => {
    await using gateway = await startGateway();
    const { data_dir } = gateway;
    expectOneSentence(await startRefused({ data_dir }), data_dir);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  },
);

scenario('a port in use is told in one sentence', ['settings.port-in-use'], async () => {
  const occupant = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  try {
    const port = String(occupant.port);
    expectOneSentence(await startRefused({ env: { PORT: port } }), port);
  } finally {
    await occupant.stop(true);
  }
});

scenario(
  'a data directory that cannot be one is told in one sentence',
  ['settings.data-dir.unusable'],
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
    try {
      // A file in the way stops every user, root included.
      const data_dir = join(dir, 'file');
      await writeFile(data_dir, 'not a directory');
      expectOneSentence(await startRefused({ data_dir }), data_dir);
      const below = join(data_dir, 'below');
      expectOneSentence(await startRefused({ data_dir: below }), below);
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);

scenario(
  'SIGTERM lets a request in flight finish, and then the process ends with 0',
  ['stop.drains'],
  async () => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using upstream = startUpstream(async () => {
      arrived.resolve();
      await released.promise;
      return exaAnswer([{ url: 'https://example.org/', title: 'Late but whole' }]);
    });
    await using gateway = await startGateway({ env: upstream.env });
    const answering = gateway.post('/v1/search', question);
    await arrived.promise;
    const stopping = gateway.stop('SIGTERM');
    await untilClosed(gateway.url);
    released.resolve();
    const answer = await answering;
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Late but whole');
    expect(await stopping).toBe(0);
  },
);

scenario(
  'SIGTERM waits for a provider whose caller has left, and the caller pays',
  ['stop.drains', 'money.left.after-call'],
  async () => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using upstream = startUpstream(async () => {
      arrived.resolve();
      await released.promise;
      return exaAnswer([]);
    });
    const data = await mkdtemp(join(tmpdir(), 'trivium-left-'));
    const env = { ...upstream.env, TRIVIUM_DATA_DIR: data };
    await using gateway = await startGateway({ env });
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal: leaving.signal,
    }).catch(() => 'left');
    await arrived.promise;
    leaving.abort();
    expect(await asked).toBe('left');
    const stopping = gateway.stop('SIGTERM');
    await untilClosed(gateway.url);
    released.resolve();
    expect(await stopping).toBe(0);
    await using again = await startGateway({ env });
    const { body } = await again.get('/v1/balance');
    expect(body).toMatchObject({ balance_usd: 9.993, held_usd: 0 });
    await again.stop();
    await rm(data, { recursive: true });
  },
);

scenario('after a kill -9 the same key opens the same door', ['stop.kill-keeps-keys'], async () => {
  await using sandbox = await startSandboxProcess();
  await using gateway = await startGateway({
    sandbox: sandbox.url,
    env: { TRIVIUM_BOOTSTRAP_KEY: undefined },
  });
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  for (let kills = 0; kills < 3; kills += 1) {
    await gateway.kill9();
    await gateway.restart();
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  }
  expect(await sandbox.calls('/exa')).toHaveLength(4);
});

function expectOneSentence(
  { exit_code, output }: { exit_code: number; output: string },
  subject: string,
): void {
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(subject);
  expect(exit_code).toBe(1);
}

/** The signal has been noticed once new connections are turned away; a late notice is no fault. */
async function untilClosed(url: string): Promise<void> {
  for (let waited_ms = 0; waited_ms < DRAIN_NOTICE_LIMIT_MS; waited_ms += POLL_MS) {
    const health = await fetch(`${url}/healthz`, { keepalive: false }).catch(() => undefined);
    if (health?.ok !== true) return;
    await Bun.sleep(POLL_MS);
  }
}
