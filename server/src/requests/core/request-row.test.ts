// Which statuses count as failures in reports.
import { expect, test } from 'bun:test';
import { isFailure } from './request-row.ts';

test.each([200, 202, 400, 401, 402, 404, 409, 413, 429, 499, 501, 503])('%d is none', (status) => {
  expect(isFailure(status)).toBe(false);
});
test.each([500, 502])('%d is one', (status) => {
  expect(isFailure(status)).toBe(true);
});
