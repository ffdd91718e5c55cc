// SIGTERM during a rolling restart: a load balancer that polls /readyz removes the gateway before
// it refuses connections, and no request is lost.
import { expect, test } from 'bun:test';
import { untilReadyz, startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const clients = 16;

test('a stopping gateway resets no connection of clients that leave in time', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGatewayProcess({
    env: { ...upstream.env, TRIVIUM_DRAIN_MS: '3000' },
  });
  let isReady = true;
  const running = Array.from({ length: clients }, () => searchRepeatedly(gateway, () => isReady));
  await upstream.receives(clients * 5);
  const stopping = gateway.stop('SIGTERM');
  await untilReadyz(gateway, 503);
  const last = await gateway.post('/v1/search', question);
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
  isReady = false;
  expect((await Promise.all(running)).flat()).toEqual([]);
  expect(await stopping).toBe(0);
});

test('a second SIGTERM ends the wait, and SIGINT does not wait at all', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  // Far longer than the harness waits for the end of a process.
  const env = { ...upstream.env, TRIVIUM_DRAIN_MS: '60000', PORT: '0' };
  await using gateway = await startGatewayProcess({ env });
  const stopping = gateway.stop('SIGTERM');
  await untilReadyz(gateway, 503);
  // The gateway treats a signal that follows at once as the same one.
  const again = setInterval(() => process.kill(gateway.pid(), 'SIGTERM'), 700);
  try {
    expect(await stopping).toBe(0);
  } finally {
    clearInterval(again);
  }
  await gateway.restart();
  expect(await gateway.stop('SIGINT')).toBe(0);
});

/** Searches while `shouldContinue` returns true, and returns the failures. */
async function searchRepeatedly(
  gateway: Gateway,
  shouldContinue: () => boolean,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  while (shouldContinue()) {
    try {
      const { status } = await gateway.post('/v1/search', question);
      if (status !== 200) failures.push(status);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
