// Start and stop of the process: its output, why it refuses to start, draining.
import { test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway, startRefused, startGatewayProcess } from '../harness.ts';
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
  const { status, headers } = await gateway.post('/v1/search', question);
  proves('settings.first-key', () => expect(status).toBe(200));

  expect(await gateway.stop()).toBe(0);
  // At the level of debug it has a line: e2e/scenarios/processes.test.ts.
  proves('settings.log-level', () =>
    expect(gateway.output()).not.toContain(headers.get('x-request-id')),
  );
  await gateway.restart();
  expect(gateway.output()).toContain(gateway.url);
  proves(['money.key.shown-once', 'settings.first-key'], () =>
    expect(gateway.output()).not.toMatch(/sk_live_[\w-]{43}/),
  );
  expect(gateway.output()).toContain('API key    shown at the first start; create another');
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
});

test('--open opens the set-up link in a browser', async () => {
  await using folder = await emptyFolder();
  const home = folder.path;
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
  await using folder = await emptyFolder();
  // A file in place of the directory fails for every user, root included.
  const file = join(folder.path, 'file');
  await writeFile(file, 'not a directory');
  for (const dataDir of [file, join(file, 'below')]) {
    await proves('settings.data-dir.unusable', async () => {
      expectOneSentence(await startRefused({ data_dir: dataDir }), dataDir);
    });
  }
});

test('SIGTERM lets requests finish, also of a caller who has left and pays; then it ends with 0', async () => {
  const released = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    await released.promise;
    return exaAnswer([{ url: 'https://example.org/', title: 'Late but whole' }]);
  });
  await using data = await emptyFolder();
  const env = { ...upstream.env, TRIVIUM_DATA_DIR: data.path };
  await using gateway = await startGatewayProcess({ env });
  const answering = gateway.post('/v1/search', question);
  const connection = new AbortController();
  const left = fetch(`${gateway.url}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: connection.signal,
  }).catch(() => 'disconnected');
  await upstream.receives(2);
  connection.abort();
  expect(await left).toBe('disconnected');
  const stopping = gateway.stop('SIGTERM');
  await untilClosed(gateway.url);
  released.resolve();
  const answer = await answering;
  await proves('stop.drains', async () => {
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Late but whole');
    expect(await stopping).toBe(0);
  });
  await using again = await startGateway({ env });
  const { body } = await again.get('/v1/balance');
  proves('money.left.after-call', () =>
    expect(body).toMatchObject({ balance_usd: 9.986, held_usd: 0 }),
  );
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
