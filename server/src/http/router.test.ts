// Finding the route of a path and a method.
import { expect, test } from 'bun:test';
import { makeRouter, pathOf } from './router.ts';

const find = makeRouter([
  { method: 'GET', path: '/items/:id' },
  { method: 'DELETE', path: '/items/:id' },
  { method: 'GET', path: '/items/export' },
  { method: 'GET', path: '/items/:id/parts/:part' },
]);

const look = (method: string, path: string) => {
  const found = find(method, pathOf(`http://gateway:80${path}`));
  return found && { path: found.route?.path, params: found.params };
};

test('a path without parameters comes first, and for its own methods only', () => {
  expect(look('GET', '/items/export')).toEqual({ path: '/items/export', params: {} });
  expect(look('DELETE', '/items/export')).toEqual({ path: '/items/:id', params: { id: 'export' } });
});

test('a path of another method is found without a route', () => {
  expect(look('POST', '/items/7')).toEqual({ path: undefined, params: { id: '7' } });
  expect(find('POST', '/items/export')?.at.path).toBe('/items/export');
});

test('a parameter is one segment, never empty', () => {
  const params = { id: '7', part: 'x' };
  expect(look('GET', '/items/7/parts/x')).toEqual({ path: '/items/:id/parts/:part', params });
  for (const path of ['/items/', '/items//', '/items/7/8', '/items//parts/x', '/', '/items']) {
    expect(look('GET', path)).toBeUndefined();
  }
});

test('a parameter is decoded once, and what is malformed stays', () => {
  const decoded = { 'a%20b': 'a b', 'a%2Fb': 'a/b', 'a%252Fb': 'a%2Fb', '%zz': '%zz', '%': '%' };
  for (const [given, id] of Object.entries({ ...decoded, '%E0%A4%A': '%E0%A4%A' })) {
    expect(look('GET', `/items/${given}?id=9#top`)?.params).toEqual({ id });
  }
  expect(look('GET', '/%69tems/7/')).toEqual({ path: '/items/:id', params: { id: '7' } });
});
