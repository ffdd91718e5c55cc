// The list of problems that need attention, as markup.
import { expect, test } from 'bun:test';
import type { AttentionItem } from '@trivium/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { addressOf, AttentionStrip, lastingOf, nameOf } from './attention.tsx';

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
  expect(drawn).toContain('<a href="/providers?provider=engine_a">The circuit is open.</a>');
});

test('each entry links to the page where a person can do something about it', () => {
  expect(addressOf(item)).toBe('/providers?provider=engine_a');
  expect(addressOf({ ...item, kind: 'provider_failing' })).toBe(
    '/requests?provider=engine_a&outcome=failed',
  );
  expect(addressOf({ ...item, kind: 'job_deadline', subject: 'job_1' })).toBe('/jobs?job=job_1');
  expect(addressOf({ ...item, kind: 'budget', subject: 'team=a' })).toBe('/usage?by=tag%3Ateam');
  expect(addressOf({ ...item, kind: 'key_cap', subject: 'key_1' })).toBe('/keys?key=key_1');
  const failing = { ...item, kind: 'webhook_failing' } as const;
  expect(addressOf({ ...failing, subject: 'wh_1' })).toBe('/webhooks?webhook_id=wh_1');
  expect(addressOf({ ...failing, subject: 'https://a.example/' })).toBe('/webhooks?state=failed');
});

test('a muted alert stays muted while its figures change, until its cause ends or becomes severe', () => {
  const mild = { ...item, severe: false };
  const muted = [nameOf(mild), nameOf({ ...mild, subject: 'engine_b' })];
  expect(lastingOf(muted, [{ ...mild, message: 'Another figure.' }])).toEqual([nameOf(mild)]);
  expect(lastingOf(muted, [item])).toEqual([]);
});
