// Values for fuzzing: valid ones, invalid ones, and ones that often break programs.
import fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;

/** Values that often break programs. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -0,
    -1,
    1e308,
    -1e308,
    Number.MAX_SAFE_INTEGER + 2,
    5e-324,
    '\u0000',
    '\ud800',
    '\u202e\u2066',
    '👩‍👩‍👧‍👦'.repeat(50),
    "' or 1=1 --",
    '${jndi:ldap://x}',
    '../../etc/passwd',
    'http://[::1]:0/',
    'https://user:pass@example.org/',
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    'x'.repeat(20_000),
    [],
    {},
  ),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
    JSON.parse('{"constructor":{"prototype":{"polluted":true}}}') as unknown,
  ),
  fc.integer({ min: 1, max: 400 }).map((depth) => nest(depth)),
  fc.jsonValue({ maxDepth: 3 }),
);

function nest(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Mostly values that match the schema, sometimes a hostile one. */
export function valueFor(
  schema: Schema,
  resolve: (ref: string) => Schema,
  depth = 0,
): fc.Arbitrary<unknown> {
  const good = goodValue(schema, resolve, depth);
  return fc.oneof({ arbitrary: good, weight: 12 }, { arbitrary: hostile, weight: 1 });
}

const maxDepth = 6;

function goodValue(
  schema: Schema,
  resolve: (ref: string) => Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  if (depth > maxDepth) return fc.constant(null);
  if (typeof schema['$ref'] === 'string') return valueFor(resolve(schema['$ref']), resolve, depth);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((one) => valueFor(one, resolve, depth + 1)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  if (schema['type'] === 'object') return objectFor(schema, resolve, depth);
  if (schema['type'] === 'array') {
    const items = (schema['items'] ?? {}) as Schema;
    return fc.array(valueFor(items, resolve, depth + 1), { maxLength: 4 });
  }
  return scalarFor(schema);
}

function scalarFor(schema: Schema): fc.Arbitrary<unknown> {
  const { type, minimum, maximum, pattern } = schema;
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') {
    const min = typeof minimum === 'number' ? Math.ceil(minimum) : -10;
    const max = typeof maximum === 'number' ? Math.floor(maximum) : 1000;
    return fc.integer({ min, max: Math.max(min, max) });
  }
  if (type !== 'string') return fc.jsonValue({ maxDepth: 1 });
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  if (schema['format'] === 'uri') return fc.webUrl();
  return fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
}

function objectFor(
  schema: Schema,
  resolve: (ref: string) => Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as string[];
  const model = Object.fromEntries(
    properties.map(([name, one]) => [name, valueFor(one, resolve, depth + 1)]),
  );
  const known = fc.record(model, { requiredKeys: required.filter((name) => name in model) });
  const extra = fc.dictionary(fc.string({ maxLength: 12 }), hostile, { maxKeys: 2 });
  return fc.oneof(
    { arbitrary: known, weight: 8 },
    { arbitrary: fc.tuple(known, extra).map(([one, more]) => ({ ...one, ...more })), weight: 1 },
  );
}
