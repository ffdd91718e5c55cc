// Fuzzes every operation of an OpenAPI document and validates each response against it.
import fc from 'fast-check';
import type { Client } from './http-client.ts';
import { hostile, type Schema, valueFor } from './fuzz-values.ts';
import { type Document, makeValidator } from './answer-validator.ts';

export type FuzzOptions = { cases: number; seed: number; operatorToken: string };

type Operation = {
  method: string;
  path: string;
  body: Schema | undefined;
  parameters: readonly { name: string; in: string; schema: Schema }[];
  responses: Readonly<Record<string, unknown>>;
};

/** Returns the first fault with its shrunk request, or undefined. */
export async function fuzz(
  client: Client,
  document: Document,
  { cases, seed, operatorToken }: FuzzOptions,
): Promise<string | undefined> {
  const operations = operationsOf(document);
  const resolve = (ref: string) => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const validate = makeValidator(document);
  for (const operation of operations) {
    const property = fc.asyncProperty(requestFor(operation, resolve), async (request) => {
      const operator = operation.path.startsWith('/admin/');
      const headers = operator ? { authorization: `Bearer ${operatorToken}` } : {};
      const answer = await client.ask(operation.method, request.path, request.body, {
        ...request.headers,
        ...headers,
      });
      const fault = validate(operation, answer);
      if (fault !== undefined) throw new Error(fault);
    });
    const numRuns = Math.ceil(cases / operations.length);
    const result = await fc.check(property, { numRuns, seed });
    if (result.failed) {
      const example = JSON.stringify(result.counterexample).slice(0, 1000);
      return `${operation.method} ${operation.path}: ${String(result.errorInstance)}\n${example}`;
    }
  }
  return undefined;
}

type FuzzRequest = { path: string; body: string | undefined; headers: Record<string, string> };

function requestFor(
  operation: Operation,
  resolve: (ref: string) => Schema,
): fc.Arbitrary<FuzzRequest> {
  const body = operation.body
    ? fc.oneof(
        {
          arbitrary: valueFor(operation.body, resolve).map((value) => JSON.stringify(value)),
          weight: 20,
        },
        { arbitrary: hostile.map((value) => JSON.stringify(value)), weight: 2 },
        { arbitrary: fc.string({ maxLength: 60 }), weight: 1 },
      )
    : fc.constant(undefined);
  const query = fc.dictionary(
    fc.constantFrom(
      'limit',
      'cursor',
      'from',
      'to',
      'by',
      'status',
      'x',
      ...namesOf(operation, 'query'),
    ),
    fc.oneof(fc.string({ maxLength: 20 }), fc.integer().map(String)),
    { maxKeys: 3 },
  );
  const segments = fc.array(
    fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('acct_default', 'job_x')),
    { minLength: 3, maxLength: 3 },
  );
  return fc.tuple(body, query, segments, trickyHeaders).map(([text, asked, parts, headers]) => ({
    path: fill(operation.path, parts) + queryText(asked),
    body: text,
    headers,
  }));
}

const trickyHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'idempotency-key': 'k'.repeat(300) },
      { 'idempotency-key': 'one two' },
      { 'x-max-cost-usd': '1e999' },
      { 'x-max-cost-usd': '-1' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-7' },
      { traceparent: 'ff-zz' },
      { 'x-trivium-explain': '\u00ff'.repeat(100) },
      { accept: 'application/xml' },
    ),
    weight: 1,
  },
);

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, one]) => {
      if (!httpVerbs.has(verb)) return [];
      const content = (one['requestBody'] as { content?: Record<string, { schema: Schema }> })
        ?.content;
      return {
        method: verb.toUpperCase(),
        path,
        body: content?.['application/json']?.schema,
        parameters: (one['parameters'] ?? []) as Operation['parameters'],
        responses: (one['responses'] ?? {}) as Operation['responses'],
      };
    }),
  );
}

const httpVerbs = new Set(['get', 'post', 'put', 'patch', 'delete']);

function namesOf({ parameters }: Operation, place: string): string[] {
  return parameters.filter((one) => one.in === place).map(({ name }) => name);
}

function fill(path: string, parts: readonly string[]): string {
  let at = 0;
  return path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(wellFormed(parts[at++] ?? 'x')));
}

function queryText(asked: Record<string, string>): string {
  const text = Object.entries(asked)
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`)
    .join('&');
  return text === '' ? '' : `?${text}`;
}

/** A lone surrogate cannot be encoded in a URL. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
