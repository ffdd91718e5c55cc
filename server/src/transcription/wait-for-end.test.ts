// Waiting for jobs: one question to the store for all who wait.
import { expect, test } from 'bun:test';
import type { JobContext } from './job-context.ts';
import { makeWaitForEnd } from './wait-for-end.ts';

/** A store whose jobs are open until they are removed from `open`. */
function stage(open: Set<string>) {
  let questions = 0;
  let ticked = Promise.withResolvers<void>();
  const database = {
    run: (_text: string, ids: string[]) => {
      questions += 1;
      return Promise.resolve([...new Set(ids)].filter((id) => open.has(id)).map((id) => ({ id })));
    },
  };
  const clock = { sleep: () => ticked.promise };
  const log = { warn: () => undefined };
  return {
    wait: makeWaitForEnd({ database, clock, log } as unknown as JobContext),
    questions: () => questions,
    tick: async () => {
      await Bun.sleep(0);
      ticked.resolve();
      ticked = Promise.withResolvers();
      await Bun.sleep(0);
    },
  };
}

const never = new AbortController().signal;

test('the store is asked once for all, however many wait', async () => {
  const open = new Set(['one', 'two']);
  const { wait, questions, tick } = stage(open);
  const ones = Array.from({ length: 300 }, () => wait('one', never));
  const two = wait('two', never);
  await tick();
  const before = questions();
  await tick();
  expect(questions() - before).toBe(1);
  open.delete('one');
  await tick();
  expect(new Set(await Promise.all(ones))).toEqual(new Set([true]));
  open.delete('two');
  await tick();
  expect(await two).toBe(true);
  const after = questions();
  await tick();
  expect(questions()).toBe(after);
  // It begins again.
  expect(await Promise.race([wait('three', never), tick().then(tick)])).toBe(true);
});

test('a client that disconnects waits no longer, and the others do', async () => {
  const open = new Set(['one']);
  const { wait, tick } = stage(open);
  const leaves = new AbortController();
  const [left, stays] = [wait('one', leaves.signal), wait('one', never)];
  leaves.abort();
  expect(await left).toBe(false);
  expect(await wait('one', leaves.signal)).toBe(false);
  open.delete('one');
  await tick();
  expect(await stays).toBe(true);
});
