// Waiting for jobs: the end in this process wakes at once, else the store is asked once for all.
import { expect, test } from 'bun:test';
import { makeJobEnds } from './wait-for-end.ts';

/** A store whose jobs are open until they are removed from `open`, and a clock that `pass` moves. */
function stage(open: Set<string>) {
  const asked: string[][] = [];
  const sleepers = new Set<{ until: number; wake: () => void }>();
  let now = 0;
  const database = {
    run: (_text: string, ids: string[]) => {
      const given = [...new Set(ids)];
      asked.push(given.filter((id) => id !== null));
      return Promise.resolve(given.filter((id) => open.has(id)).map((id) => ({ id })));
    },
  };
  const sleep = (ms: number) =>
    new Promise<void>((wake) => void sleepers.add({ until: now + ms, wake }));
  const clock = { ticks: () => now, sleep };
  const log = { warn: () => undefined };
  const { waitFor, note } = makeJobEnds({ database, clock, log } as unknown as Parameters<
    typeof makeJobEnds
  >[0]);
  return {
    ...{ waitFor, note, asked },
    pass: async (ms: number) => {
      const until = now + ms;
      for (;;) {
        await Bun.sleep(0);
        const next = [...sleepers].toSorted((one, other) => one.until - other.until)[0];
        if (!next || next.until > until) break;
        now = next.until;
        sleepers.delete(next);
        next.wake();
      }
      now = until;
    },
  };
}

const never = new AbortController().signal;
/** What has come so far. */
const soFar = (waited: Promise<boolean>) => Promise.race([waited, Bun.sleep(0)]);

test('the end of a job wakes its callers at once, and a late answer of the store no one', async () => {
  const { waitFor, note, pass } = stage(new Set(['one', 'two']));
  const [one, other, two] = [waitFor('one', never), waitFor('one', never), waitFor('two', never)];
  await pass(60_000);
  note('one');
  note('constructor');
  expect(await Promise.all([one, other, soFar(two)])).toEqual([true, true, undefined]);
});

test('beside a long job, a short one that another gateway ends is found soon', async () => {
  const open = new Set(['long', 'short']);
  const { waitFor, pass } = stage(open);
  void waitFor('long', never);
  await pass(60_000);
  const short = waitFor('short', never);
  await pass(300);
  open.delete('short');
  await pass(300);
  expect(await soFar(short)).toBe(true);
});

test('the store is asked once for all, less and less often, and not when no caller waits', async () => {
  const open = new Set(['one', 'two']);
  const { waitFor, pass, asked } = stage(open);
  const ones = Array.from({ length: 300 }, () => waitFor('one', never));
  const two = waitFor('two', never);
  await pass(60_000);
  expect(asked.length).toBeLessThan(50);
  expect(asked.at(-1)).toEqual(['one', 'two']);
  open.clear();
  await pass(2200);
  expect(new Set(await Promise.all([...ones, two]))).toEqual(new Set([true]));
  const before = asked.length;
  await pass(60_000);
  expect(asked).toHaveLength(before);
  // It begins again.
  const three = waitFor('three', never);
  await pass(200);
  expect(await soFar(three)).toBe(true);
});

test('a client that disconnects waits no longer, and the others do', async () => {
  const open = new Set(['one']);
  const { waitFor, pass } = stage(open);
  const leaves = new AbortController();
  const [left, stays] = [waitFor('one', leaves.signal), waitFor('one', never)];
  leaves.abort();
  expect(await left).toBe(false);
  expect(await waitFor('one', leaves.signal)).toBe(false);
  open.delete('one');
  await pass(2200);
  expect(await stays).toBe(true);
});
