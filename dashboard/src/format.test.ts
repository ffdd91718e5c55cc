// How the dashboard formats times in a recording.
import { expect, test } from 'bun:test';
import { clockTime } from './format.ts';

test.each([
  [0, '0:00'],
  [59.9, '0:59'],
  [61, '1:01'],
  [3599.99, '59:59'],
  [3600, '1:00:00'],
  [36_061, '10:01:01'],
])('%d seconds of a recording are %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text);
});
