// The strip of what needs attention, as markup.
import { expect, test } from 'bun:test';
import type { AttentionItem } from '@trivium/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { addressOf, AttentionStrip } from './attention.tsx';

const item: AttentionItem = {
  kind: 'circuit_open',
  severe: true,
  subject: 'engine_a',
  message: 'The circuit is open.',
};

test('nothing is drawn when all is well', () => {
  expect(renderToStaticMarkup(<AttentionStrip items={[]} />)).toBe('');
});

test('each entry leads to the page on which something can be done', () => {
  expect(addressOf(item)).toBe('/providers');
  expect(addressOf({ ...item, kind: 'provider_failing' })).toBe(
    '/requests?provider=engine_a&outcome=failed',
  );
  expect(addressOf({ ...item, kind: 'job_deadline', subject: 'job_1' })).toBe('/jobs?job=job_1');
  expect(addressOf({ ...item, kind: 'budget' })).toBe('/billing');
});
