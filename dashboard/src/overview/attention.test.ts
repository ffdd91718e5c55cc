// The list of problems that need attention, as markup.
import { expect, test } from 'bun:test';
import type { AttentionItem } from '@trivium/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { addressOf, AttentionStrip } from './attention.tsx';

const item: AttentionItem = {
  kind: 'circuit_open',
  severe: true,
  subject: 'engine_a',
  message: 'The circuit is open.',
};

test('nothing is drawn when there are no problems', () => {
  expect(renderToStaticMarkup(createElement(AttentionStrip, { items: [] }))).toBe('');
});

test('each entry is a link, and the severe ones stand out', () => {
  Object.assign(globalThis, { location: new URL('http://gateway.example/') });
  const drawn = renderToStaticMarkup(createElement(AttentionStrip, { items: [item] }));
  Reflect.deleteProperty(globalThis, 'location');
  expect(drawn).toContain('<li class="bad">');
  expect(drawn).toContain('<a href="/providers">The circuit is open.</a>');
});

test('each entry links to the page where a person can do something about it', () => {
  expect(addressOf(item)).toBe('/providers');
  expect(addressOf({ ...item, kind: 'provider_failing' })).toBe(
    '/requests?provider=engine_a&outcome=failed',
  );
  expect(addressOf({ ...item, kind: 'job_deadline', subject: 'job_1' })).toBe('/jobs?job=job_1');
  expect(addressOf({ ...item, kind: 'budget' })).toBe('/usage');
});
