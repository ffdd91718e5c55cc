// The bodies of deliveries: read once for all deliveries of an event, and counted while one is sent.
import { expect, test } from 'bun:test';
import { makeByteBudget } from '../platform/byte-budget.ts';
import { makeEventBodies } from './deliver.ts';

const delivery = { event_id: 'msg_1', event: 'job.completed', created_at: 0, subject: 'job_1' };
const of = (more = {}) => ({ ...delivery, account_id: 'a', payload: null, ...more }) as never;

test('deliveries of one event share its body until the last one is sent', async () => {
  let reads = 0;
  const budget = makeByteBudget(1000, () => 0);
  const open = makeEventBodies(async (_id, admit) => {
    reads += 1;
    admit(10);
    return ['{"text":', '"hello"}'];
  }, budget);
  const bodies = await Promise.all([open(of()), open(of())]);
  const text =
    '{"type":"job.completed","timestamp":"1970-01-01T00:00:00.000Z","data":{"text":"hello"}}';
  expect(await bodies[0]?.blob.text()).toBe(text);
  expect(reads).toBe(1);
  const used = budget.used();
  bodies[0]?.close();
  expect(budget.used()).toBe(used);
  await open(of()).then((third) => third?.close());
  expect(reads).toBe(1);
  bodies[1]?.close();
  expect(budget.used()).toBe(0);
  await open(of());
  expect(reads).toBe(2);
});

test.each([
  ['is gone', async () => undefined],
  ['cannot be read', () => Promise.reject(new Error('The store is lost.'))],
])('a text that %s is read again for the next delivery', async (_what, read) => {
  let reads = 0;
  const open = makeEventBodies(() => {
    reads += 1;
    return read();
  });
  for (let count = 1; count <= 2; count += 1) {
    expect(await open(of()).catch(() => undefined)).toBeUndefined();
    expect(reads).toBe(count);
  }
});
