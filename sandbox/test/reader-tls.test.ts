// Over https the reader connects to a checked address and verifies the certificate of the name.
import { afterAll, expect, test } from 'bun:test';
import { createReader } from '../src/reader/reader.ts';
import { ScrapeFailure } from '../src/reader/scrape-failure.ts';
import type { Policy } from '../src/reader/target.ts';
import { certificate, certificateKey } from './certificate.ts';
import { article } from './reader-site.ts';

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  tls: { cert: certificate, key: certificateKey },
  fetch: () => new Response(article, { headers: { 'content-type': 'text/html' } }),
});
afterAll(() => server.stop(true));

const local: Policy = {
  allows: (address) => address === '127.0.0.1',
  resolve: () => Promise.resolve(['127.0.0.1']),
};
const trusting: Policy = { ...local, authority: certificate };

test('the page of a site with the right certificate is read', async () => {
  const { article } = await createReader(trusting)(`https://site.test:${server.port}/`);
  expect(article.title).toBe('Cheap membranes');
});

test('a certificate for another name, or of an unknown authority, is refused', async () => {
  for (const [policy, host] of [
    [trusting, 'other.test'],
    [local, 'site.test'],
  ] as const) {
    const reading = createReader(policy)(`https://${host}:${server.port}/`);
    const error: unknown = await reading.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ScrapeFailure);
    expect((error as ScrapeFailure).code).toBe('SCRAPE_SSL_ERROR');
  }
});
