// What becomes of a delivery after each kind of answer.
import { expect, test } from 'bun:test';
import { resultOf } from './attempt.ts';

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
