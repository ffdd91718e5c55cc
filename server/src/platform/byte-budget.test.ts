// The budget of bytes in progress: shares of accounts, order of waiting, and no deadlock.
import { expect, test } from 'bun:test';
import { makeByteBudget, noRoom } from './byte-budget.ts';
import { readLimits } from './limit-gauges.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const make = () => makeByteBudget(100, () => 0);
const waiting = () =>
  readLimits().find(({ labels }) => labels.limit === 'long_texts' && labels.state === 'waiting')
    ?.value;

/** What has been granted, in order. */
function watch() {
  const granted: string[] = [];
  const note = async (name: string, room: true | Promise<boolean>) => {
    if (await room) granted.push(name);
  };
  return { granted, note };
}

test('one account gets half, and all together get the whole', () => {
  const budget = make();
  expect(budget.open('a').take(50)).toBeUndefined();
  expect(budget.open('a').take(1)).toBe('account');
  expect(budget.open('b').take(40)).toBeUndefined();
  expect(budget.open('c').take(11)).toBe('gateway');
  expect(budget.used()).toBe(90);
  expect([noRoom('account').status, noRoom('gateway').status]).toEqual([429, 503]);
});

test('the first of an account may be of any size, and gives everything back once', () => {
  const budget = make();
  const one = budget.open('a');
  expect(one.take(1000)).toBeUndefined();
  one.close();
  one.close();
  one.add(5);
  expect([budget.used(), one.grow(7), budget.used()]).toEqual([0, true, 0]);
});

test('what waits is admitted in order, what has begun goes first', async () => {
  const budget = make();
  const { granted, note } = watch();
  const [first, begun] = [budget.open('a'), budget.open('b')];
  first.add(40);
  begun.add(40);
  void note('new', budget.open('c').grow(30));
  void note('begun', begun.grow(30));
  await turn();
  expect([granted, waiting()]).toEqual([[], 2]);
  first.close();
  await turn();
  await turn();
  expect(granted).toEqual(['begun', 'new']);
});

test('those that wait for each other go on one after another', async () => {
  const budget = make();
  const { granted, note } = watch();
  const holds = ['a', 'b'].map((name) => ({ name, hold: budget.open(name) }));
  for (const { hold } of holds) hold.add(50);
  for (const { name, hold } of holds) void note(name, hold.grow(30));
  await turn();
  expect(granted).toEqual(['a']);
  holds[0]?.hold.close();
  await turn();
  await turn();
  expect(granted).toEqual(['a', 'b']);
});

test('of those that wait for each other only the oldest takes more than there is', async () => {
  const budget = make();
  const reading = ['a', 'b', 'c', 'd'].map((name) => budget.open(name));
  let most = 0;
  const read = async (hold: (typeof reading)[number]) => {
    for (let part = 0; part < 20; part += 1) {
      await hold.grow(10);
      most = Math.max(most, budget.used());
      await turn();
    }
    hold.close();
  };
  await Promise.all(reading.map(read));
  // The whole budget, and what is left of the oldest.
  expect(most).toBeLessThanOrEqual(100 + 200);
  expect(budget.used()).toBe(0);
});

test('an account that waits keeps no other one waiting, and a crowd is refused', async () => {
  const budget = make();
  const { granted, note } = watch();
  budget.open('a').add(50);
  for (let count = 0; count < 64; count += 1) void note('a', budget.open('a').grow(1));
  void note('b', budget.open('b').grow(10));
  await turn();
  expect(granted).toEqual(['b']);
  expect([budget.isCrowded('a'), budget.isCrowded('b')]).toEqual(['account', undefined]);
});

test('a request that ends no longer waits', async () => {
  const budget = make();
  budget.open('a').add(100);
  const late = budget.open('b');
  const room = late.grow(10);
  late.close();
  expect([await room, waiting(), budget.used()]).toEqual([false, 0, 100]);
});
