// Calls through a guard: credential rotation, circuit breaker and concurrency limit.
import { describe, expect, test } from 'bun:test';
import { firstPauseMs, leastCalls } from './core/circuits.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import { exa } from '../providers/exa/adapter.ts';
import { type Budget, callProvider } from './call-provider.ts';
import { readyInOrder } from './choose-provider.ts';
import { healthOf, makeGuard } from './guard.ts';
import type { ConfiguredProviders, Connection } from './context.ts';

const wire = { method: 'POST', path: '/search', body: { query: 'a' } } as const;
const budget = { timeout_ms: 10_000, maxBytes: 1000 };
const maxWaitMs = 60_000;

/** A context with one guarded provider; time moves only in `sleep`. */
function guardedContext(
  answer: (key: string) => Sent | Promise<Sent>,
  keys = ['key-1', 'key-2'],
  maxWaiting = 0,
) {
  let ticks = 0;
  const used: string[] = [];
  const clock = {
    now: () => new Date(ticks),
    ticks: () => ticks,
    sleep: (ms: number) => {
      // No place becomes free by waiting alone.
      if (ms === maxWaitMs) return new Promise<void>(() => undefined);
      ticks += ms;
      return Promise.resolve();
    },
  };
  const context: Connection = {
    clock,
    send: (outgoing: Outgoing) => {
      const key = outgoing.headers['x-api-key'] ?? '';
      used.push(key);
      return Promise.resolve(answer(key));
    },
  };
  const [key = '', ...spareKeys] = keys;
  const upstream = { key, spare_keys: spareKeys, hosts: { api: 'http://upstream.example' } };
  const limits = { maxRunning: 1, maxWaiting, maxWaitMs };
  const guard = makeGuard(upstream, limits, clock);
  const chosen = { provider: exa, state: 'configured', upstream, guard } as const;
  const call = (more: Pick<Budget, 'hurried' | 'attempts'> = {}) =>
    callProvider(context, chosen, wire, { ...budget, ...more });
  return { call, used, guard, chosen, wait: (ms: number) => void (ticks += ms) };
}

const answered = (status: number, text = '{}'): Sent => ({
  ok: true,
  status,
  text,
  headers: new Headers(),
});

describe('several credentials', () => {
  test('are used in turn', async () => {
    const { call, used } = guardedContext(() => answered(200));
    for (let count = 0; count < 3; count += 1) await call();
    expect(used).toEqual(['key-1', 'key-2', 'key-1']);
  });
  for (const status of [401, 402, 429]) {
    test(`after a ${status} for one, another is tried and serves from then on`, async () => {
      const { call, used } = guardedContext((key) => answered(key === 'key-1' ? status : 200));
      expect((await call()).kind).toBe('answered');
      expect((await call()).kind).toBe('answered');
      expect(used).toEqual(['key-1', 'key-2', 'key-2']);
    });
  }
  test('when all are refused, the refusal contains none of them', async () => {
    const { call, used } = guardedContext(() => answered(401, '{"no":"key-1 and key-2 are bad"}'));
    const outcome = await call();
    expect(used).toEqual(['key-1', 'key-2']);
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { kind: 'unauthorized' } });
    expect(JSON.stringify(outcome)).not.toMatch(/key-[12]/);
  });
});

describe('a provider that keeps failing', () => {
  const failing = async () => {
    const context = guardedContext(() => answered(500));
    for (let count = 0; count < leastCalls; count += 1) await context.call();
    return context;
  };
  test('opens the circuit: nothing is sent, and the refusal says for how long', async () => {
    const { call, used } = await failing();
    const outcome = await call();
    expect(used).toHaveLength(leastCalls);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'unavailable', retry_after_ms: firstPauseMs },
    });
    const { message } = (outcome as Extract<typeof outcome, { kind: 'refused' }>).refusal;
    expect(message).toContain(`until ${new Date(firstPauseMs).toISOString()}`);
    expect(message).toContain('"auto"');
    expect(message).toContain('provider_options.fusion.providers');
  });
  test('is asked again after a while', async () => {
    const { call, used, wait } = await failing();
    wait(firstPauseMs);
    await call();
    expect(used).toHaveLength(leastCalls + 1);
  });
  test('comes last for auto, but is still called when there is no other', async () => {
    const { chosen } = await failing();
    const other = { ...chosen, guard: guardedContext(() => answered(200)).guard };
    const providers: Pick<ConfiguredProviders, 'engine_a' | 'engine_b'> = {
      engine_a: chosen,
      engine_b: other,
    };
    expect(readyInOrder(providers, ['engine_a', 'engine_b'])).toEqual([other, chosen]);
    expect(readyInOrder(providers, ['engine_a'])).toEqual([chosen]);
  });
  test('is not confused with one that refuses bad requests', async () => {
    const { call, guard } = guardedContext(() => answered(400));
    for (let count = 0; count < leastCalls * 2; count += 1) await call();
    expect(healthOf(guard).circuit).toBe('closed');
  });
});

describe('an answer that is late', () => {
  const late: Sent = { ok: false, failure: 'timed_out', message: 'late' };
  const often = async (hurried: boolean) => {
    const { call, guard } = guardedContext(() => late);
    for (let count = 0; count < leastCalls; count += 1)
      await call(hurried ? { hurried: true } : {});
    return healthOf(guard).circuit;
  };
  test('in the usual time is a failure', async () => {
    expect(await often(false)).toBe('open');
  });
  test('in a time that the caller cut short is none', async () => {
    expect(await often(true)).toBe('closed');
  });
});

test('a call beyond the limit is turned away unsent, and places come back', async () => {
  const slow = Promise.withResolvers<Sent>();
  const { call, used, guard } = guardedContext(() => slow.promise);
  const first = call();
  expect(await call()).toMatchObject({ kind: 'refused', refusal: { kind: 'overloaded' } });
  expect(used).toHaveLength(1);
  slow.resolve(answered(200));
  expect((await first).kind).toBe('answered');
  expect(guard.limiter.running()).toBe(0);
});

test('each attempt is recorded with its start and its wait for a place', async () => {
  const slow = Promise.withResolvers<Sent>();
  const answers = [() => slow.promise, () => answered(503), () => answered(200)];
  const { call, wait } = guardedContext(() => answers.shift()?.() ?? answered(500), ['key-1'], 1);
  const attempts: NonNullable<Budget['attempts']> = [];
  wait(1000);
  const first = call({ attempts });
  wait(40);
  const second = call({ attempts });
  wait(60);
  slow.resolve(answered(200));
  await Promise.all([first, second]);
  expect(attempts.map(({ at, queuedMs, ms }) => [at, queuedMs, ms])).toEqual([
    [1000, 0, 100],
    [1040, 60, 60],
    // The retry after a pause of half a second.
    [1600, 0, 0],
  ]);
});

test('a call that waits while the circuit opens is not made, and gives its place back', async () => {
  const slow = Promise.withResolvers<Sent>();
  let isSlow = false;
  const { call, used, guard } = guardedContext(
    () => (isSlow ? slow.promise : answered(500)),
    ['key-1'],
    2,
  );
  for (let count = 1; count < leastCalls; count += 1) await call();
  isSlow = true;
  const [last, ...waiting] = [call(), call(), call()];
  expect([guard.limiter.running(), guard.limiter.waiting()]).toEqual([1, 2]);
  slow.resolve(answered(500));
  await last;
  for (const one of waiting) {
    expect(await one).toMatchObject({ kind: 'refused', refusal: { kind: 'unavailable' } });
  }
  expect(used).toHaveLength(leastCalls);
  expect([guard.limiter.running(), guard.limiter.waiting()]).toEqual([0, 0]);
});
