// What a browser is given before anybody has signed in: little, and nothing foreign.
import { expect, test } from 'bun:test';
import { sharedGateway } from '../harness.ts';

const MAX_FIRST_LOAD_BYTES = 250_000;

const gateway = sharedGateway();

test('the first load is small, and nothing foreign may run in the page', async () => {
  const page = await fetch(gateway().url);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  const scripts = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
  expect(scripts.length).toBeGreaterThan(1);
  let bytes = 0;
  for (const [, path = ''] of scripts) {
    const headers = { 'accept-encoding': 'gzip' };
    const file = await fetch(gateway().url + path, { headers, decompress: false });
    expect(file.headers.get('content-encoding')).toBe('gzip');
    bytes += (await file.arrayBuffer()).byteLength;
  }
  expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES);
});
