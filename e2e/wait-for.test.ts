// Waiting ends with the awaited value, or with a message that says what did not happen.
import { expect, test } from 'bun:test';
import { waitFor } from './wait-for.ts';

test('the first value that meets the condition is returned', async () => {
  let count = 0;
  const read = () => (count += 1);
  expect(await waitFor(read, { what: 'three', until: (value) => value === 3 })).toBe(3);
  expect(await waitFor(async () => 'found', { what: 'a text' })).toBe('found');
});

test('a failure names what was awaited, its limit, and the last value', async () => {
  const waiting = waitFor(() => ({ held: 7 }), {
    what: 'no hold is left',
    limitMs: 1,
    until: ({ held }) => held === 0,
  });
  const message = await waiting.then(String, String);
  expect(message).toStartWith('Error: Not in 1 ms: no hold is left. Last seen: {');
  expect(message).toContain('held: 7');
});

test('an error of the condition ends the wait', async () => {
  const fail = () => Promise.reject(new Error('gone'));
  expect(await waitFor(fail, { what: 'anything' }).then(String, String)).toBe('Error: gone');
});
