// The built-in reader for users without an account: real public pages, and no private ones.
import { afterAll, test } from 'bun:test';
import { askExtract } from '../asking.ts';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway({ env: { TRIVIUM_READER: 'on' } });

const visits: string[] = [];
const inside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    visits.push(request.url);
    return new Response('<p>secret</p>', { headers: { 'content-type': 'text/html' } });
  },
});
afterAll(() => inside.stop(true));

test('pages inside the network are refused with a reason, and no server is called', async () => {
  const { port } = inside;
  const urls = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://2130706433:${port}/`,
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://router.local/',
    gateway().url,
  ];
  const { results, failed } = await askExtract(gateway(), { provider: 'engine_f', urls });
  proves('settings.reader', () => {
    expect(results).toEqual([]);
    expect(failed.map(({ url }) => url)).toEqual(urls);
    for (const { error } of failed) expect(error).toMatch(/not on the public web/);
    expect(visits).toEqual([]);
  });
});

test('the pages of the sandbox stay available, and other engines read only those', async () => {
  const urls = ['https://pages.example/moved'];
  const read = await askExtract(gateway(), { provider: 'engine_f', urls });
  proves('settings.reader', () =>
    expect(read.results[0]).toMatchObject({ final_url: 'https://pages.example/new-home' }),
  );
  const elsewhere = await askExtract(gateway(), {
    provider: 'engine_a',
    urls: ['https://nowhere.invalid/'],
  });
  expect(elsewhere.failed).toHaveLength(1);
});

test('a host that does not exist is reported as such', async () => {
  const { failed } = await askExtract(gateway(), {
    provider: 'engine_f',
    urls: ['https://nowhere.invalid/'],
  });
  proves('settings.reader', () => expect(failed[0]?.error).toMatch(/DNS resolution failed/));
});
