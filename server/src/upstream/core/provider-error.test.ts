// The error that a caller gets for a refusal of a provider.
import { describe, expect, test } from 'bun:test';
import { providerError } from './refusal.ts';

const detailOf = (body: unknown) =>
  providerError('engine_c', { kind: 'rejected', message: 'no', status: 422, body }).detail;

describe('the detail of a provider_error', () => {
  const ours = { provider: 'engine_c', status: 422 };

  test("has the fields of the provider's body, and ours beside them", () => {
    const body = { error: { code: 7 }, tag: 'NO' };
    expect(detailOf(body)).toEqual({ ...ours, body, ...body });
  });

  test('changes no field of the body that has the name of one of ours', () => {
    const body = { status: 42_205, provider: { name: 'x' }, body: null };
    expect(detailOf(body)).toEqual(body);
  });

  test.each([[null], [undefined], ['<html>'], [7], [[{ error: 1 }]]])(
    'keeps %j, which has no fields, in body',
    (body) => {
      expect(detailOf(body)).toEqual({ ...ours, body: body ?? null });
    },
  );

  test('repeats no long body', () => {
    const body = { error: 'x'.repeat(100_000) };
    expect(detailOf(body)).toEqual({ ...ours, body });
  });

  test('takes nothing from the prototype of a body', () => {
    const body = JSON.parse('{"__proto__":{"provider":"other"},"constructor":1}') as unknown;
    expect(detailOf(body)).toMatchObject(ours);
  });
});
