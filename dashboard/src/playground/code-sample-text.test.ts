// The generated code samples escape quotes and contain every field that was filled in.
import { expect, test } from 'bun:test';
import { codeSampleText } from './code-sample-text.ts';

const request = {
  query: "what's new",
  provider: 'engine_a',
  include_domains: ['a.example', 'b.example'],
};
const texts = codeSampleText('search', request, 'https://gateway.example');

test('a quote in the query does not end the argument of curl', () => {
  expect(texts.curl).toContain("what'\\''s new");
  expect(texts.curl).toContain('https://gateway.example/v1/search');
});

test('the command line has a flag for every field, and lists fields without one', () => {
  expect(texts.cli).toContain(
    "trivium search 'what'\\''s new' --provider engine_a --include a.example --include b.example",
  );
  const capped = { query: 'q', strict: true, content: { snippets: { max_per_result: 2 } } };
  expect(codeSampleText('search', capped, 'http://x').cli).toBe(
    'TRIVIUM_URL=http://x npx trivium search q --strict\n' +
      '# Only in the API: content.snippets.max_per_result',
  );
});

test('TypeScript contains the request unchanged', () => {
  expect(texts.typescript).toContain('"include_domains": [');
});

test('Python writes true, false and nested options as Python does', () => {
  const nested = {
    query: 'say "hi" \\ there',
    provider: 'engine_a',
    content: { full_text: true, summary: false },
    include_domains: ['a.example'],
  };
  const { python } = codeSampleText('search', nested, 'http://x');
  expect(python).toContain('trivium.search(\n        "say \\"hi\\" \\\\ there",');
  expect(python).toContain('content={"full_text": True, "summary": False},');
  expect(python).toContain('include_domains=["a.example"],');
});
