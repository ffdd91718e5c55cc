// Matching a vendor's items to the addresses asked for, spelled alike or not.
import { expect, test } from 'bun:test';
import { matchPages } from './match-pages.ts';

const positions = (urls: string[], items: (string | null)[]) =>
  matchPages(urls, items, (item) => item).map(([, at]) => at);

test('items in another order find their addresses', () => {
  const urls = ['https://a.example/1', 'https://a.example/2'];
  expect(positions(urls, ['https://a.example/2', 'https://a.example/1'])).toEqual([1, 0]);
});

test('an address that came back in another spelling is still the same page', () => {
  const urls = ['http://www.a.example/one/', 'https://b.example/'];
  expect(positions(urls, ['https://b.example', 'https://a.example/one'])).toEqual([1, 0]);
});

test('the exact spelling is served before a twin of the same page', () => {
  const urls = ['https://a.example/', 'http://a.example/'];
  expect(positions(urls, ['http://a.example/', 'https://a.example/'])).toEqual([1, 0]);
});

test('an unknown address is taken as the one in its place when nothing is missing', () => {
  const urls = ['https://a.example/moved', 'https://a.example/2'];
  expect(positions(urls, ['https://a.example/new', 'https://a.example/2'])).toEqual([0, 1]);
});

test('nothing is guessed by place when items are missing', () => {
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'];
  expect(positions(urls, ['https://else.example/', 'https://a.example/3'])).toEqual([
    undefined,
    undefined,
    1,
  ]);
});

test('an item without an address can only be found by its place', () => {
  expect(positions(['https://a.example/1'], [null])).toEqual([0]);
});
