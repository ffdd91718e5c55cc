// SIGTERM as a rolling restart sends it: a balancer that asks /readyz leaves before a connection is
// refused, and no request is lost.
import { expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const clients = 16;
const pollMs = 20;

test('a gateway that stops resets no connection of clients that leave in time', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGateway({ env: { ...upstream.env, TRIVIUM_DRAIN_MS: '3000' } });
  let isReady = true;
  const shopping = Array.from({ length: clients }, () => shop(gateway, () => isReady));
  while (upstream.received.length < clients * 5) await Bun.sleep(pollMs);
  const stopping = gateway.stop('SIGTERM');
  while ((await gateway.get('/readyz')).status === 200) await Bun.sleep(pollMs);
  const last = await gateway.post('/v1/search', question);
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
  isReady = false;
  expect((await Promise.all(shopping)).flat()).toEqual([]);
  expect(await stopping).toBe(0);
});

test('a second SIGTERM ends the wait, and SIGINT does not wait at all', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  // Far longer than the harness waits for the end of a process.
  const env = { ...upstream.env, TRIVIUM_DRAIN_MS: '60000', PORT: '0' };
  await using gateway = await startGateway({ env });
  const stopping = gateway.stop('SIGTERM');
  while ((await gateway.get('/readyz')).status === 200) await Bun.sleep(pollMs);
  // A signal that follows at once is taken for the same one.
  const again = setInterval(() => process.kill(gateway.pid(), 'SIGTERM'), 700);
  try {
    expect(await stopping).toBe(0);
  } finally {
    clearInterval(again);
  }
  await gateway.restart();
  expect(await gateway.stop('SIGINT')).toBe(0);
});

/** Searches until told to stop, and answers what failed. */
async function shop(gateway: Gateway, goesOn: () => boolean): Promise<unknown[]> {
  const failures: unknown[] = [];
  while (goesOn()) {
    try {
      const { status } = await gateway.post('/v1/search', question);
      if (status !== 200) failures.push(status);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
