// The call as a program writes it survives quotes and says everything that was filled in.
import { expect, test } from 'bun:test';
import { callTexts } from './call-texts.ts';

const request = {
  query: "what's new",
  provider: 'engine_a',
  include_domains: ['a.example', 'b.example'],
};
const texts = callTexts('search', request, 'https://gateway.example');

test('a quote in the query does not end the argument of curl', () => {
  expect(texts.curl).toContain("what'\\''s new");
  expect(texts.curl).toContain('https://gateway.example/v1/search');
});

test('the command line spells every field with its flags, and names what it cannot say', () => {
  expect(texts.cli).toContain(
    "trivium search 'what'\\''s new' --provider engine_a --include a.example --include b.example",
  );
  const capped = { query: 'q', strict: true, content: { snippets: { max_per_result: 2 } } };
  expect(callTexts('search', capped, 'http://x').cli).toBe(
    'TRIVIUM_URL=http://x npx trivium search q --strict\n' +
      '# Only in the API: content.snippets.max_per_result',
  );
});

test('TypeScript carries the request as it is', () => {
  expect(texts.typescript).toContain('"include_domains": [');
});
