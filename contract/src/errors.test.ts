// Checks that every error type has its status and that a thrown error carries all a response needs.
import { expect, test } from 'bun:test';
import { ErrorEnvelope } from './errors.ts';
import { errorStatus, errorTypes, GatewayError } from './gateway-error.ts';

test('each error type has the status it is documented with', () => {
  expect(errorStatus).toEqual({
    unauthorized: 401,
    invalid_request: 400,
    provider_not_available: 501,
    provider_not_configured: 503,
    provider_error: 502,
    not_found: 404,
    insufficient_credits: 402,
    rate_limited: 429,
    internal_error: 500,
  });
});

test.each([...errorTypes])('%s gives a thrown error its usual status', (type) => {
  const error = new GatewayError(type, 'why');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ type, message: 'why', status: errorStatus[type], headers: {} });
  expect(error.detail).toBeUndefined();
});

test('the status, headers and cause of an error can be set', () => {
  const cause = new Error('below');
  const headers = { allow: 'POST' };
  const error = new GatewayError('invalid_request', 'Use POST.', null, {
    status: 405,
    headers,
    cause,
  });
  expect(error).toMatchObject({ name: 'GatewayError', status: 405, headers, detail: null, cause });
});

test('an error without a cause has no cause property', () => {
  expect('cause' in new GatewayError('not_found', 'm')).toBe(false);
});

test('the envelope needs a known type and a message; the detail may be anything', () => {
  const error = { type: 'not_found', message: 'm' };
  for (const detail of [undefined, null, 5, { issues: [] }]) {
    expect(ErrorEnvelope.safeParse({ error: { ...error, detail } }).success).toBe(true);
  }
  expect(ErrorEnvelope.safeParse({ error: { ...error, type: 'odd' } }).success).toBe(false);
  expect(ErrorEnvelope.safeParse({ error: { type: 'not_found' } }).success).toBe(false);
});
