// Calls through a guard: keys in turn, a failing provider left alone, a busy one turned away from.
import { describe, expect, test } from 'bun:test';
import { first_open_ms, least_calls } from '../domain/resilience/circuit.ts';
import type { Outgoing, Sent } from '../platform/http.ts';
import { exa } from '../providers/exa.ts';
import { callProvider } from './call-provider.ts';
import { readyInOrder } from './choose-provider.ts';
import { makeGuard } from './guard.ts';
import type { House } from './house.ts';

const wire = { method: 'POST', path: '/search', body: { query: 'a' } } as const;
const budget = { timeout_ms: 10_000, max_bytes: 1000 };

/** A house with one guarded provider; time moves only when somebody sleeps. */
function guardedHouse(answer: (key: string) => Sent | Promise<Sent>, keys = ['key-1', 'key-2']) {
  let ticks = 0;
  const used: string[] = [];
  const clock = {
    now: () => new Date(ticks),
    ticks: () => ticks,
    sleep: (ms: number) => {
      ticks += ms;
      return Promise.resolve();
    },
  };
  const house = {
    clock,
    send: (outgoing: Outgoing) => {
      const key = outgoing.headers['x-api-key'] ?? '';
      used.push(key);
      return Promise.resolve(answer(key));
    },
  } as unknown as House;
  const [key = '', ...spare_keys] = keys;
  const upstream = { key, spare_keys, hosts: { api: 'http://upstream.example' } };
  const limits = { most_running: 1, most_waiting: 0, longest_wait_ms: 100 };
  const guard = makeGuard(upstream, limits, clock);
  const chosen = { provider: exa, state: 'configured', upstream, guard } as const;
  const call = (more: { hurried?: true } = {}) =>
    callProvider(house, chosen, wire, { ...budget, ...more });
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
    const { call, used } = guardedHouse(() => answered(200));
    for (let count = 0; count < 3; count += 1) await call();
    expect(used).toEqual(['key-1', 'key-2', 'key-1']);
  });
  for (const status of [401, 402, 429]) {
    test(`after a ${status} for one, another is tried and serves from then on`, async () => {
      const { call, used } = guardedHouse((key) => answered(key === 'key-1' ? status : 200));
      expect((await call()).kind).toBe('answered');
      expect((await call()).kind).toBe('answered');
      expect(used).toEqual(['key-1', 'key-2', 'key-2']);
    });
  }
  test('when all are refused, the refusal is told without any of them in it', async () => {
    const { call, used } = guardedHouse(() => answered(401, '{"no":"key-1 and key-2 are bad"}'));
    const outcome = await call();
    expect(used).toEqual(['key-1', 'key-2']);
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { kind: 'unauthorized' } });
    expect(JSON.stringify(outcome)).not.toMatch(/key-[12]/);
  });
});

describe('a provider that keeps failing', () => {
  const failing = async () => {
    const house = guardedHouse(() => answered(500));
    for (let count = 0; count < least_calls; count += 1) await house.call();
    return house;
  };
  test('is left alone: nothing is sent, and the caller is told for how long', async () => {
    const { call, used } = await failing();
    const outcome = await call();
    expect(used).toHaveLength(least_calls);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'unavailable', retry_after_ms: first_open_ms },
    });
  });
  test('is asked again after a while', async () => {
    const { call, used, wait } = await failing();
    wait(first_open_ms);
    await call();
    expect(used).toHaveLength(least_calls + 1);
  });
  test('comes last for auto, but is still asked when there is nobody else', async () => {
    const { chosen } = await failing();
    const other = { ...chosen, guard: guardedHouse(() => answered(200)).guard };
    const stations = { engine_a: chosen, engine_b: other } as unknown as House['stations'];
    expect(readyInOrder(stations, ['engine_a', 'engine_b'])).toEqual([other, chosen]);
    expect(readyInOrder(stations, ['engine_a'])).toEqual([chosen]);
  });
  test('is not confused with one that refuses bad requests', async () => {
    const { call, guard } = guardedHouse(() => answered(400));
    for (let count = 0; count < least_calls * 2; count += 1) await call();
    expect(guard.circuit.state).toBe('closed');
  });
});

describe('an answer that is late', () => {
  const late: Sent = { ok: false, failure: 'timed_out', message: 'late' };
  const often = async (hurried: boolean) => {
    const { call, guard } = guardedHouse(() => late);
    for (let count = 0; count < least_calls; count += 1)
      await call(hurried ? { hurried: true } : {});
    return guard.circuit.state;
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
  const { call, used, guard } = guardedHouse(() => slow.promise);
  const first = call();
  expect(await call()).toMatchObject({ kind: 'refused', refusal: { kind: 'overloaded' } });
  expect(used).toHaveLength(1);
  slow.resolve(answered(200));
  expect((await first).kind).toBe('answered');
  expect(guard.turnstile.running()).toBe(0);
});
