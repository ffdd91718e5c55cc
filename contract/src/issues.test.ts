// Checks that every fault is reported, with its path and a plain message.
import { test } from 'bun:test';
import { z } from 'zod';
import { expect, proves } from '../../e2e/proves.ts';
import { addKnownFields } from './closest.ts';
import { ExtractRequest } from './extract.ts';
import { addFault, addUnlisted, maxListedFaults } from './faults.ts';
import { issuesOf } from './issues.ts';
import { SearchRequest } from './search.ts';
import { TranscriptionRequest } from './transcription.ts';

const Body = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  long: z.string().min(2).optional(),
  count: z.int().min(1).max(9).optional(),
  size: z.number().optional(),
  on: z.boolean().optional(),
  list: z.array(z.string()).min(2).max(3).optional(),
  one: z.array(z.string()).max(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  tool: z.literal('x').optional(),
  inner: z.strictObject({ must: z.string() }).optional(),
  code: z.string().regex(/^x/, { error: 'Must start with x.' }).optional(),
  date: z.date().optional(),
});

function listIssues(schema: z.ZodType, input: unknown): string[] {
  const parsed = schema.safeParse(input, addKnownFields);
  if (parsed.success) return [];
  return issuesOf(parsed.error).map(({ path, code, message }) => `${path}|${code}|${message}`);
}

test.each<[input: unknown, message: string]>([
  [[], '|invalid_type|Must be an object, not a list.'],
  [null, '|invalid_type|Must be an object, not null.'],
  [{ name: 5 }, 'name|invalid_type|Must be a string, not a number.'],
  [{ name: '' }, 'name|too_small|Must not be empty.'],
  [{ name: 'abcd' }, 'name|too_big|Must have at most 3 characters.'],
  [{ long: 'a' }, 'long|too_small|Must have at least 2 characters.'],
  [{ count: 0 }, 'count|too_small|Must be at least 1.'],
  [{ count: 10 }, 'count|too_big|Must be at most 9.'],
  [{ count: 1.5 }, 'count|invalid_type|Must be a whole number.'],
  [{ count: '1' }, 'count|invalid_type|Must be a number, not a string.'],
  [{ size: true }, 'size|invalid_type|Must be a number, not true or false.'],
  [{ on: 'yes' }, 'on|invalid_type|Must be true or false, not a string.'],
  [{ list: 'abcd' }, 'list|invalid_type|Must be a list, not a string.'],
  [{ list: ['a'] }, 'list|too_small|Must have at least 2 items.'],
  [{ one: ['a', 'b'] }, 'one|too_big|Must have at most 1 item.'],
  [{ list: ['a', 'b', 3] }, 'list.2|invalid_type|Must be a string, not a number.'],
  [{ kind: 'c' }, 'kind|invalid_value|Must be one of: a, b.'],
  [{ tool: 'y' }, 'tool|invalid_value|Must be x.'],
  [{ inner: {} }, 'inner.must|invalid_type|Required, and must be a string.'],
  [{ code: 'y' }, 'code|invalid_format|Must start with x.'],
  [{ date: 1 }, 'date|invalid_type|Must be date, not a number.'],
])('%j gets a plain message', (input, message) => {
  expect(listIssues(Body, input)).toEqual([message]);
});

test('each unknown key is a separate fault with its own path', () => {
  const message = 'Unknown field; remove it or check its spelling.';
  expect(listIssues(Body, { x: 1, 'y z': 2, inner: { must: 'a', extra: 3 } })).toEqual([
    `inner.extra|unrecognized_keys|${message}`,
    `x|unrecognized_keys|${message}`,
    `y z|unrecognized_keys|${message}`,
  ]);
});

test('an unknown field suggests the nearest field of its own object', () => {
  const search = (fields: object) => listIssues(SearchRequest, { query: 'x', ...fields });
  const fusion = (fields: object) => ({ provider: 'fusion', provider_options: { fusion: fields } });
  for (const [issues, place, near] of [
    [search({ num_results: 3 }), 'num_results', 'max_results'],
    [search({ numResults: 3 }), 'numResults', 'max_results'],
    [search({ maxResults: 3 }), 'maxResults', 'max_results'],
    [search({ start_date: '2026-01-01' }), 'start_date', 'published_after'],
    [search({ content: { fulltext: true } }), 'content.fulltext', 'full_text'],
    [search(fusion({ timeout: 1000 })), 'provider_options.fusion.timeout', 'timeout_ms'],
    [listIssues(ExtractRequest, { urls: ['https://a.example/'], url: 'x' }), 'url', 'urls'],
    [
      listIssues(TranscriptionRequest, { audio_url: 'https://a.example/a.mp3', lang: 'de' }),
      ...['lang', 'language'],
    ],
  ] as const) {
    const message = `Unknown field; did you mean ${near}?`;
    expect(issues).toEqual([`${place}|unrecognized_keys|${message}`]);
  }
  for (const key of ['constructor', '__proto__', '', 'k'.repeat(100_000)]) {
    const [issue] = search(JSON.parse(`{${JSON.stringify(key)}:1}`) as object);
    expect(issue).toEndWith('Unknown field; remove it or check its spelling.');
  }
});

test('a zod message in an unknown form gives a shorter message', () => {
  const Name = z.string({ error: () => 'Hier fehlt ein Name.' });
  expect(listIssues(Name, 5)).toEqual(['|invalid_type|Must be a string.']);
});

test('a rule without a code gets the code custom and keeps its message', () => {
  const Even = z.number().refine((value) => value % 2 === 0, { error: 'Must be even.' });
  expect(listIssues(Even, 3)).toEqual(['|custom|Must be even.']);
});

test('a body full of faults gets a bounded list and the number of the rest', () => {
  const Names = z.array(z.string());
  expect(listIssues(Names, Array(maxListedFaults).fill(0))).toHaveLength(maxListedFaults);
  const issues = listIssues(Names, Array(maxListedFaults + 3).fill(0));
  proves('requests.issues.bounded', () => {
    expect([maxListedFaults, issues.length]).toEqual([50, maxListedFaults + 1]);
    expect(issues.at(-1)).toBe(
      '|too_many_issues|There are 3 more errors that are not listed here.',
    );
  });
});

test('the list of unknown keys is bounded in the same way', () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 0]));
  expect(listIssues(Body, keys(maxListedFaults))).toHaveLength(maxListedFaults);
  const issues = listIssues(Body, { ...keys(maxListedFaults + 1), count: 'x' });
  expect(issues).toHaveLength(maxListedFaults + 1);
  expect(issues.at(-1)).toBe('|too_many_issues|There are 2 more errors that are not listed here.');
});

test('unlisted faults are counted', () => {
  const Many = z.unknown().superRefine((_value, context) => {
    addFault(context, ['a'], 'listed', 'Listed.');
    addUnlisted(context, 7);
  });
  expect(listIssues(Many, 0)).toEqual([
    'a|listed|Listed.',
    '|too_many_issues|There are 7 more errors that are not listed here.',
  ]);
});

test('a long path is cut', () => {
  const key = 'k'.repeat(100_000);
  const [issues = ''] = listIssues(Body, { inner: { must: 'a', [key]: 1 } });
  proves('requests.issues.bounded', () =>
    expect(issues.split('|')[0]).toBe(`inner.${'k'.repeat(200 - 'inner.'.length)}…`),
  );
});
