// Unauthenticated clients: their requests are bounded, store no rows, and do not prevent other
// people from signing in.
import { expect, test } from 'bun:test';
import { sharedGateway, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';
import { operator, visitor } from './visitor.ts';
import { openStore } from '../store-file.ts';

const kib = 1024;
const adaAddress = 'ada@example.org';
const wrong = 'a wrong password';
const posts = ['/auth/sign-in/email', '/auth/sign-in/social', '/auth/sign-out', '/admin/v1/join'];

const gateway = sharedGateway({ env: { TRIVIUM_TRUSTED_PROXIES: '10.0.0.0/8' } });
const anonymous = () => visitor(() => gateway().url);

test.each(posts)('POST %s accepts at most 64 KiB', async (path) => {
  const post = (body: string | ReadableStream) =>
    fetch(gateway().url + path, {
      method: 'POST',
      headers: { origin: gateway().url, 'content-type': 'application/json' },
      body,
    });
  const filled = (length: number) => `{"email":"${'a'.repeat(length - 12)}"}`;
  expect((await post(filled(64 * kib))).status).toBe(400);
  expect((await post(filled(64 * kib + 1))).status).toBe(413);
  // A body without a content length.
  const stream = new Blob([filled(200 * kib)]).stream();
  expect((await post(stream)).status).toBe(413);
});

test('a body with a larger content length is refused before it is read', async () => {
  const client = await connectRaw(gateway().url);
  client.write(head('/auth/sign-in/email', gateway().url, 62 * kib * kib));
  expect(rawStatus(await client.answered)).toBe(413);
  client.end();
});

test('a body that arrives too slowly is cut off', async () => {
  const client = await connectRaw(gateway().url);
  client.write(head('/auth/sign-in/email', gateway().url, 1000));
  const dripping = setInterval(() => client.write('a'), 1000);
  try {
    expect(rawStatus(await client.answered)).toBe(408);
  } finally {
    clearInterval(dripping);
    client.end();
  }
});

test('made-up paths give a 404 and store no row', async () => {
  const before = rowsOfSignIn(gateway());
  for (let at = 0; at < 100; at += 1) {
    const path = `/auth/${crypto.randomUUID()}${at % 2 === 0 ? '' : '/callback'}`;
    const method = at % 3 === 0 ? 'GET' : 'POST';
    const body = method === 'GET' ? {} : { body: {} };
    expect((await anonymous().ask(method, path, body)).status).toBe(404);
  }
  for (const path of ['/auth/ok', '/auth/error', '/auth/sign-up/email', '/auth/get-session']) {
    expect([path, (await anonymous().ask('GET', path)).status]).toEqual([path, 404]);
  }
  expect(rowsOfSignIn(gateway())).toBe(before);
});

test('wrong passwords store no row, and a proxy that is not trusted names no address', async () => {
  const before = rowsOfSignIn(gateway());
  const statuses: number[] = [];
  for (let at = 0; at < 22; at += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${at}` };
    statuses.push(await anonymous().signIn(`p${at}@example.org`, wrong, headers));
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
  expect(rowsOfSignIn(gateway())).toBe(before);
});

// All limits, and what a proxy adds to an address, are in server/test/sign-in-limits.test.ts.
test('attempts from many networks on one person are limited, but do not lock that person out', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_TRUSTED_PROXIES: '127.0.0.0/8' } });
  const ada = await operator(gateway, adaAddress);
  const tries = async (count: number, of: (at: number) => Promise<number>) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push(await of(at));
    return statuses.filter((status) => status === 401).length;
  };
  const tryFrom = (address: string, password = wrong) =>
    visitor(() => gateway.url).signIn(adaAddress, password, { 'x-forwarded-for': address });
  expect(await tries(12, (at) => tryFrom(`192.0.2.${at % 6}`))).toBe(10);
  // From another network with the right password, in a new browser.
  expect(await tryFrom('198.51.100.200', 'correct horse battery')).toBe(200);
  // A browser in which this person has signed in before may still sign in, from any network.
  const from = { 'x-forwarded-for': '192.0.2.1' };
  expect(await ada.signIn(adaAddress, undefined, from)).toBe(200);
  expect(await tries(12, () => ada.signIn(adaAddress, wrong, from))).toBe(10);
  // Its cookie counts only for its own person.
  expect(await tries(12, () => ada.signIn('eve@example.org', wrong, from))).toBe(10);
});

function rowsOfSignIn({ store_dir }: Gateway): number {
  const store = openStore(store_dir, { readonly: true });
  try {
    const counts = ['sign_in_limits', 'verifications', 'sessions', 'credentials', 'people'].map(
      (table) => (store.query(`select count(*) as n from ${table}`).get() as { n: number }).n,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    store.close();
  }
}

function head(path: string, origin: string, length: number): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `origin: ${origin}`,
    'content-type: application/json',
    `content-length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
