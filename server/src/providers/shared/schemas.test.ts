// `asGiven` accepts exactly what zod accepts, and returns the same object.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { asGiven } from './schemas.ts';

const schema = z.object({
  kind: z.literal(['web', 'news']),
  ok: z.boolean().nullish(),
  echo: z.looseObject({}).optional(),
  any: z.unknown().optional(),
  list: z.array(z.object({ url: z.string(), score: z.number().nullable() })).nullish(),
  sum: z.number().nonnegative().optional(),
});
const answer = asGiven(schema);

const scalar = fc.constantFrom(undefined, null, true, '', 'web', 0, -1, 1.5, Infinity, NaN);
const entry = fc.oneof(scalar, fc.record({ url: scalar, score: scalar }, { requiredKeys: [] }));
const value = fc.oneof(scalar, fc.array(entry, { maxLength: 2 }), fc.constant({ a: 1 }));
const body = fc.oneof(
  value,
  fc.record(
    {
      kind: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('web', 'news') }, value),
      ok: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(true, null) }, value),
      echo: fc.oneof({ weight: 4, arbitrary: fc.constant({ more: 1 }) }, value),
      any: value,
      list: fc.oneof(
        { weight: 4, arbitrary: fc.array(fc.constant({ url: 'u', score: 1, more: [] })) },
        value,
      ),
      sum: fc.oneof({ weight: 4, arbitrary: fc.constant(2) }, value),
    },
    { requiredKeys: [] },
  ),
);

test('it accepts and refuses what zod accepts and refuses', () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(body, (given) => {
      const wanted = schema.safeParse(given).success;
      seen[wanted ? 'taken' : 'refused'] += 1;
      expect(answer.find(given)).toBe(wanted ? (given as z.infer<typeof schema>) : undefined);
      if (!wanted) expect(() => answer.parse(given)).toThrow(z.ZodError);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
});

test('fields that the schema does not name are still there', () => {
  const given = { kind: 'web', more: 'of it' };
  expect(answer.parse(given)).toBe(given as unknown as z.infer<typeof schema>);
});

test('a schema that would change what it reads is refused at once', () => {
  expect(() => asGiven(z.object({ a: z.string().catch('') }))).toThrow('catch');
  expect(() => asGiven(z.object({ a: z.string().default('') }))).toThrow('default');
  expect(() => asGiven(z.string().trim())).toThrow('string');
  expect(() => asGiven(z.strictObject({}))).toThrow('strict');
  expect(() => asGiven(z.coerce.number())).toThrow('number');
});
