// Checks which engines count as having found the same page.
import { expect, test } from 'bun:test';
import { foundBy } from './shared-pages.ts';

test('a page is the same with and without www, a slash at the end, a fragment, or TLS', () => {
  const others = foundBy([
    { engine: 'a', urls: ['https://www.one.example/x/', 'https://two.example/?q=1'] },
    { engine: 'b', urls: ['http://one.example/x#top', 'https://two.example/?q=2'] },
    { engine: 'c', urls: ['https://one.example/x', 'not an address', 'not an address'] },
  ]);
  expect(others('https://one.example/x', 'a')).toEqual(['b', 'c']);
  expect(others('https://two.example/?q=1', 'a')).toEqual([]);
  expect(others('not an address', 'c')).toEqual([]);
  expect(others('https://unknown.example/', 'a')).toEqual([]);
});
