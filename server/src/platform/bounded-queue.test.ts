// The queue for work that no caller waits for: batches, limits, failures, and its end.
import { expect, test } from 'bun:test';
import { boundedQueue } from './bounded-queue.ts';
import { readLimits } from './limit-gauges.ts';

const longMs = 1e9;

function openQueue(name: string, more: Partial<Parameters<typeof boundedQueue<number>>[0]> = {}) {
  const batches: number[][] = [];
  const errors: unknown[] = [];
  const queue = boundedQueue<number>({
    ...{ name, maxWaiting: 100, maxBatch: 3, everyMs: longMs },
    write: async (batch) => void batches.push([...batch]),
    onError: (error) => errors.push(error),
    ...more,
  });
  return { queue, batches, errors };
}

function expectWaiting(limit: string, value: number) {
  expect(readLimits()).toContainEqual({ labels: { limit, state: 'waiting' }, value });
}

test('items are written in order, in batches', async () => {
  const { queue, batches } = openQueue('batches');
  for (const item of [1, 2]) expect(queue.add(item)).toBe(true);
  await Bun.sleep(5);
  expect(batches).toEqual([]);
  await queue.flush();
  expect(batches).toEqual([[1, 2]]);
  for (const item of [3, 4, 5, 6]) queue.add(item);
  await queue.flush();
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(queue.counts).toEqual({ written: 6, dropped: 0 });
});

test('a full batch and the timer each begin to write', async () => {
  const { queue, batches } = openQueue('begin');
  for (const item of [1, 2, 3]) queue.add(item);
  await Bun.sleep(5);
  expect(batches).toEqual([[1, 2, 3]]);
  const soon = openQueue('soon', { everyMs: 1 });
  soon.queue.add(1);
  await Bun.sleep(20);
  expect(soon.batches).toEqual([[1]]);
});

test('a batch that became full during a write does not wait for the timer', async () => {
  const { queue, batches } = openQueue('full_meanwhile', {
    write: async (batch) => {
      batches.push([...batch]);
      if (batch[0] === 1) for (const item of [4, 5, 6, 7]) queue.add(item);
    },
  });
  for (const item of [1, 2, 3]) queue.add(item);
  await Bun.sleep(5);
  expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

test('a failed write is not repeated before the timer', async () => {
  let tries = 0;
  const { queue } = openQueue('pause_after_failure', {
    write: async () => {
      tries += 1;
      return 'later';
    },
  });
  for (const item of [1, 2, 3, 4]) queue.add(item);
  await Bun.sleep(5);
  expect(tries).toBe(1);
});

test('above the limit the newest are dropped, and counted', async () => {
  const { queue, batches } = openQueue('limit', { maxWaiting: 10, sizeOf: (item) => item });
  expect([4, 7, 1].map(queue.add)).toEqual([true, true, false]);
  expectWaiting('limit', 2);
  await queue.flush();
  expect(queue.add(1)).toBe(true);
  await queue.stop();
  expect(batches).toEqual([[4, 7], [1]]);
  expect(queue.add(1)).toBe(false);
  expect(queue.counts).toEqual({ written: 3, dropped: 2 });
});

test('what could not be written is tried again, and dropped at the end', async () => {
  let fails = true;
  const written: number[] = [];
  const { queue, errors } = openQueue('again', {
    write: async (batch) => {
      if (fails) throw new Error('made to fail');
      written.push(...batch);
    },
  });
  for (const item of [1, 2]) queue.add(item);
  await queue.flush();
  expectWaiting('again', 2);
  expect(errors.length).toBe(1);
  fails = false;
  queue.add(3);
  await queue.flush();
  expect(written).toEqual([1, 2, 3]);
  fails = true;
  queue.add(4);
  await queue.stop();
  expect(queue.counts).toEqual({ written: 3, dropped: 1 });
});

test('a faulty item does not fail the others', async () => {
  const written: number[] = [];
  const faulty: number[] = [];
  const { queue } = openQueue('faulty', {
    write: async (batch) => {
      if (batch.includes(2)) throw new Error('made to fail');
      written.push(...batch);
    },
    mayRetry: () => false,
    onFaulty: (item) => faulty.push(item),
  });
  for (const item of [1, 2, 3, 4]) queue.add(item);
  await queue.flush();
  expect({ written, faulty }).toEqual({ written: [1, 3, 4], faulty: [2] });
  expect(queue.counts).toEqual({ written: 3, dropped: 1 });
});
