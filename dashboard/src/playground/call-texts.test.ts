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

test('the command line names every field', () => {
  expect(texts.cli).toContain(
    "trivium search 'what'\\''s new' --provider engine_a --include-domains 'a.example,b.example'",
  );
});

test('TypeScript carries the request as it is', () => {
  expect(texts.typescript).toContain('"include_domains": [');
});
