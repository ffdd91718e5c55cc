// What negotiation grants is an ask only when every value is what adapters expect.
import { expect, test } from 'bun:test';
import { searchAsk } from './asks.ts';

const plain = { query: 'solar', max_results: 5 };

test('granted parameters of the right kind are an ask', () => {
  const granted = { ...plain, include_domains: ['a.example'], 'content.full_text': true };
  expect(searchAsk(granted)).toBe(granted);
});

test.each([
  ['a value of another kind', { ...plain, max_results: '5' }],
  ['a list with another kind', { ...plain, include_domains: [1] }],
  ['a parameter of another tool', { ...plain, keyterms: ['grid'] }],
  ['no query', { max_results: 5 }],
])('%s is a bug of the gateway', (_name, granted) => {
  expect(() => searchAsk(granted)).toThrow('the granted parameters are not an ask');
});
