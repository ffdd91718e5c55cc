// Over https the reader connects to a checked address and verifies the certificate of the name.
import { afterAll, expect, test } from 'bun:test';
import { createPrivateKey } from 'node:crypto';
import { createReader } from '../src/reader/reader.ts';
import { ScrapeFailure } from '../src/reader/scrape-failure.ts';
import type { Policy } from '../src/reader/target.ts';
import { article } from './reader-site.ts';

/** Created for these tests only: nothing else trusts it. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBYjCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlzaXRlLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CXNpdGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB4mucQausG5IEAi
yINeIKTjL4a4gkX7hbIMxJ/mUKOHo+uVVK4IZKPBJlu5LCJeEp/BeG7vnR8SWkNz
fgGnsAujSDBGMBQGA1UdEQQNMAuCCXNpdGUudGVzdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBQVTpJ6JrA0d5eg17XJcv7yGiz/mTAKBggqhkjOPQQDAgNJADBG
AiEAnzBI3FgbvcezDEwIhZptmnlNwl5QArn8EBKMlcWmEsICIQCHAZhFhWNAwwWL
9mExIp0hHw3GAIvdQb5a1bifRFVVnA==
-----END CERTIFICATE-----
`;
const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'Hia5xBq6wbkgQCLIg14gpOMvhriCRfuFsgzEn-ZQo4c',
    y: 'o-uVVK4IZKPBJlu5LCJeEp_BeG7vnR8SWkNzfgGnsAs',
    d: 'gGbWQeXoPc_ehruj8T25WXvgCI6nYpdraK4llDxEnjc',
  },
});

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  tls: { cert: certificate, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() },
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
