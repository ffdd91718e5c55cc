// Which of several servers is written to, while they hang, wake up and are promoted.
import { expect, test } from 'bun:test';
import { watchPrimary, type ServerState } from './primary-watch.ts';

const primary = (timeline: number, system = 'one'): ServerState => ({
  isStandby: false,
  system,
  timeline,
});
const standby: ServerState = { isStandby: true, system: 'one', timeline: 0 };

/** What a server answers; undefined while it hangs. */
type Answers = Record<string, ServerState | undefined | 'refuses'>;

function watchOf(answers: Answers) {
  const moves: string[] = [];
  const waiting: { address: string; resolve: (state: ServerState) => void }[] = [];
  let [now, tick] = [0, () => undefined as void];
  const watch = watchPrimary({
    addresses: Object.keys(answers),
    ticks: () => now,
    sleep: () => Promise.resolve(),
    moveTo: (address) => void moves.push(address),
    repeat: (work) => {
      tick = work;
      return () => undefined;
    },
    openProbe: (address) => ({
      ask: () => {
        const answer = answers[address];
        if (answer === 'refuses') return Promise.reject(new Error('refused'));
        if (answer) return Promise.resolve(answer);
        return new Promise((resolve) => waiting.push({ address, resolve }));
      },
      abandon: () => undefined,
    }),
  });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1000;
      tick();
      await Bun.sleep(0);
    }
  };
  /** A frozen server continues, and answers the questions that it was asked before. */
  const wake = async (address: string, state: ServerState) => {
    answers[address] = state;
    for (const one of waiting) if (one.address === address) one.resolve(state);
    await Bun.sleep(0);
  };
  return { watch, moves, pass, wake, leap: (ms: number) => (now += ms) };
}

test('it starts on the primary with the highest timeline, whatever the order', async () => {
  for (const answers of [
    { a: primary(3), b: primary(4) },
    { b: primary(4), a: primary(3) },
    { a: standby, b: primary(3) },
    { a: 'refuses', b: primary(1) } as const,
  ]) {
    const { watch, moves } = watchOf({ ...answers });
    await watch.start();
    expect(moves.at(-1) ?? Object.keys(answers)[0]).toBe('b');
    expect(watch.isConfirmed()).toBe(true);
  }
});

test('a promotion is followed at once, also while the server in use hangs', async () => {
  const answers: Answers = { a: primary(1), b: standby };
  const { watch, moves, pass } = watchOf(answers);
  await watch.start();
  Object.assign(answers, { a: undefined, b: primary(2) });
  await pass(1);
  expect(moves).toEqual(['b']);
  expect(watch.isConfirmed()).toBe(true);
});

test('an older primary that wakes up is not used again, even if no other answers', async () => {
  const answers: Answers = { a: primary(1), b: standby };
  const { watch, moves, pass, wake } = watchOf(answers);
  await watch.start();
  Object.assign(answers, { a: undefined, b: primary(2) });
  await pass(1);
  await wake('a', primary(1));
  answers['b'] = 'refuses';
  await pass(10);
  expect(moves.filter((address) => address === 'a')).toEqual([]);
  expect(watch.isConfirmed()).toBe(false);
});

test('a server that hangs gets new connections, once, and is used when it answers', async () => {
  const answers: Answers = { a: primary(1), b: standby };
  const { watch, moves, pass, wake } = watchOf(answers);
  await watch.start();
  answers['a'] = undefined;
  await pass(3);
  expect([moves.length, watch.isConfirmed()]).toEqual([0, true]);
  await pass(20);
  expect([moves, watch.isConfirmed()]).toEqual([['a'], false]);
  await wake('a', primary(1));
  await pass(1);
  expect([moves, watch.isConfirmed()]).toEqual([['a'], true]);
});

test('a promotion behind one address opens new connections', async () => {
  const answers: Answers = { a: primary(1) };
  const { watch, moves, pass } = watchOf(answers);
  await watch.start();
  answers['a'] = primary(2);
  await pass(1);
  expect([moves, watch.isConfirmed()]).toEqual([['a'], true]);
});

test('after a pause the server in use is asked before its answers count again', async () => {
  const answers: Answers = { a: primary(1), b: standby };
  const { watch, moves, leap } = watchOf(answers);
  await watch.start();
  leap(60_000);
  expect([watch.isConfirmed(), moves]).toEqual([false, []]);
  await watch.confirm();
  expect([watch.isConfirmed(), moves]).toEqual([true, []]);
});

test('after a pause a server that was promoted meanwhile is used', async () => {
  const answers: Answers = { a: primary(1), b: standby };
  const { watch, moves, leap } = watchOf(answers);
  await watch.start();
  answers['b'] = primary(2);
  leap(60_000);
  await watch.confirm();
  expect([watch.isConfirmed(), moves]).toEqual([true, ['b']]);
});

test('a server of another cluster is used only when the one in use is lost', async () => {
  const answers: Answers = { a: primary(3), b: primary(9, 'other') };
  const { watch, moves, pass } = watchOf(answers);
  await watch.start();
  await pass(3);
  expect(moves.at(-1) ?? 'a').toBe('a');
  answers['a'] = 'refuses';
  await pass(1);
  expect(moves.at(-1)).toBe('b');
});

test('of two primaries with equal timelines, the one in use stays in use until it is lost', async () => {
  const answers: Answers = { a: primary(3), b: primary(3) };
  const { watch, moves, pass } = watchOf(answers);
  await watch.start();
  await pass(5);
  expect([moves, watch.isConfirmed()]).toEqual([[], true]);
  answers['a'] = 'refuses';
  await pass(1);
  answers['a'] = primary(3);
  await pass(5);
  expect([moves, watch.isConfirmed()]).toEqual([['b'], true]);
});

test('no answer counts from a server older than one that was seen, whatever happens', async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let run = 0; run < 200; run += 1) {
    const answers: Answers = { a: primary(1), b: standby, c: standby };
    const { watch, moves, pass, wake } = watchOf(answers);
    await watch.start();
    const timelines: Record<string, number> = { a: 1, b: 0, c: 0 };
    let newest = 1;
    for (let step = 0; step < 30; step += 1) {
      const address = 'abc'[random(3)] ?? 'a';
      const does = random(5);
      if (does === 0) timelines[address] = newest += 1;
      const timeline = timelines[address] ?? 0;
      const state = timeline === 0 ? standby : primary(timeline);
      if (does === 1) answers[address] = undefined;
      else if (does === 2) answers[address] = 'refuses';
      else await wake(address, state);
      await pass(1 + random(6));
      const seen = Object.values(answers).flatMap((one) =>
        typeof one === 'object' && !one.isStandby ? one.timeline : [],
      );
      const used = timelines[moves.at(-1) ?? 'a'] ?? 0;
      if (watch.isConfirmed()) expect(used).toBeGreaterThanOrEqual(Math.max(0, ...seen));
    }
  }
});
