// What becomes of a delivery after each kind of answer.
import { expect, test } from 'bun:test';
import { attemptsMade, resultOf } from './attempt.ts';

const now = 1_800_000_000_000;
const delivery = { attempts: 1, first_attempt_at: now };
const hourMs = 60 * 60 * 1000;

test.each([200, 201, 202, 204, 299])('%d is a success', (status) => {
  expect(resultOf(delivery, { status }, now, 0.5)).toEqual({
    state: 'delivered',
    due_at: null,
    last_status: status,
    last_error: null,
    gone: false,
  });
});

test.each([100, 199, 300, 301, 302, 307, 400, 401, 404, 429, 500, 503, 599])(
  '%d is tried again',
  (status) => {
    const result = resultOf(delivery, { status }, now, 0.5);
    expect(result).toMatchObject({ state: 'pending', due_at: now + 5000, last_status: status });
    expect(result.last_error).toContain(String(status));
    expect(/redirect/.test(result.last_error ?? '')).toBe(status >= 300 && status < 400);
  },
);

test('no answer is tried again, and its reason is kept', () => {
  const result = resultOf(delivery, { error: 'No answer within 10 seconds.' }, now, 0.5);
  expect(result).toMatchObject({ state: 'pending', last_status: null });
  expect(result.last_error).toBe('No answer within 10 seconds.');
});

test('410 ends it and says that the address is gone', () => {
  const result = resultOf(delivery, { status: 410 }, now, 0.5);
  expect(result).toMatchObject({ state: 'failed', due_at: null, gone: true });
});

test('after 24 hours it has failed', () => {
  const result = resultOf(delivery, { status: 500 }, now + 24 * hourMs, 0.5);
  expect(result).toMatchObject({ state: 'failed', due_at: null, last_status: 500 });
});

test.each([
  // Of an older version, which kept no log and counted every claim.
  [{ attempts: 3, last_status: 500, last_error: null }, [], [3, 3, 0]],
  [{ attempts: 3, last_status: null, last_error: 'late' }, [], [3, 3, 0]],
  [{ attempts: 1, last_status: null, last_error: null }, [], [1, 1, 0]],
  // Three claims ended with their process.
  [{ attempts: 4, last_status: null, last_error: null }, [], [1, 1, 3]],
  // Two attempts were made before the retry period, and one in it.
  [{ attempts: 4, last_status: 500, last_error: null }, [1, 2, 3], [4, 2, 0]],
  [{ attempts: 6, last_status: 500, last_error: null }, [1, 2, 3], [4, 2, 2]],
])('of %o with the log %o', (counted, numbers, [number, inPeriod, lost]) => {
  const logged = numbers.map((one) => ({ number: one, at: one === 3 ? now : now - 1 }));
  const made = attemptsMade({ ...delivery, ...counted }, logged as never);
  expect<unknown>(made).toEqual({ number, inPeriod, lost });
});
