// The form is generated from the contract, and produces a request that the contract accepts.
import { expect, test } from 'bun:test';
import { SearchRequest } from '@trivium/contract';
import { openApiDocument } from '@trivium/contract/openapi';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { JsonSchema } from './form-fields.ts';

const document = openApiDocument() as unknown as {
  components: { schemas: Record<string, JsonSchema> };
};
const fields = fieldsOf(document.components.schemas['SearchRequest'] ?? {});

test('every field of the contract except the provider is in the form', () => {
  const paths = fields.map(({ path }) => path);
  expect(paths).toContain('content.snippets.max_per_result');
  expect(paths).toContain('locale.country');
  expect(paths).not.toContain('provider');
  expect(fields.find(({ path }) => path === 'query')?.required).toBe(true);
  expect(fields.find(({ path }) => path === 'published_after')?.kind).toBe('date');
  expect(fields.find(({ path }) => path === 'mode')?.options).toContain('deep');
});

test('a filled form is a valid request without the empty fields', () => {
  const request = requestFrom(fields, {
    query: ' batteries ',
    max_results: '5',
    mode: '',
    include_domains: 'one.example, two.example\nthree.example',
    'content.full_text': 'true',
    'content.snippets.max_per_result': '2',
  });
  expect(request).toEqual({
    query: 'batteries',
    max_results: 5,
    include_domains: ['one.example', 'two.example', 'three.example'],
    content: { full_text: true, snippets: { max_per_result: 2 } },
  });
  expect(SearchRequest.safeParse(request).success).toBe(true);
});
