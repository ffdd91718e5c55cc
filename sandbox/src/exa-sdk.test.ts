// Exa's own SDK as a reference client: it completes and parses both calls against the sandbox.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Exa from 'exa-js';
import type { Sandbox } from './index.ts';
import { startSandbox } from './index.ts';

const query = 'solar energy storage';
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date('2026-11-15T12:00:00.000Z') });
});
afterAll(() => sandbox.stop());

describe('the official Exa SDK', () => {
  test('searches and parses the response', async () => {
    const exa = new Exa('any-key', `${sandbox.url}/exa`);
    const found = await exa.search(query, {
      numResults: 5,
      contents: { text: true, highlights: true, summary: true },
    });
    expect(found.results).toHaveLength(5);
    expect(found.results[0]?.text.length).toBeGreaterThan(200);
    expect(found.results[0]?.highlights.length).toBeGreaterThan(0);
    expect(found.costDollars?.total).toBe(0.012);
  });

  test('gets contents and sees which URL failed', async () => {
    const exa = new Exa('any-key', `${sandbox.url}/exa`);
    const urls = [
      'https://clearwater.example/desalination/small-plants',
      'https://pages.example/gone',
    ];
    const got = await exa.getContents(urls, { text: true });
    expect(got.results.map(({ title }) => title)).toEqual([
      'Sea water for the village: cheaper desalination membranes change the sum',
    ]);
    expect(got.statuses?.map(({ status }) => status)).toEqual(['success', 'error']);
  });

  test('raises its own error for a wrong key', async () => {
    const exa = new Exa('bad', `${sandbox.url}/exa`);
    const error = await exa
      .search(query)
      .catch((raised: Error & { statusCode?: number }) => raised);
    expect(error).toMatchObject({ name: 'ExaError', statusCode: 401 });
  });
});
