// Threads that are closed while tasks run and wait.
import { expect, test } from 'bun:test';
import { hangs } from '../../test/content-traps.ts';
import { makeThreads } from './thread.ts';

const program = new URL('../../test/content-with-traps.ts', import.meta.url);

test('closing fails the task that runs and those that wait, and starts no other thread', async () => {
  const limits = { maxRunning: 1, maxOfOne: 1, maxWaiting: 10, maxWaitMs: 60_000 };
  const threads = makeThreads<unknown, unknown>(program, limits);
  const tasks = [hangs, 'plain', 'plain'].map((text) =>
    threads.ask({ scan: { texts: [text], isCleaned: false } }),
  );
  threads.close();
  for (const answer of await Promise.all(tasks))
    expect(answer).toMatchObject({ notDone: 'failed' });
  expect(threads.running()).toBe(0);
});
