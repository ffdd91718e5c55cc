// The cache of pages and of the members of a panel, its header, its limits and its default age.
import { expect, test } from 'bun:test';
import { asOperator, makeAccount, moneyOf, operatorToken } from '../billing/small-account.ts';
import { startGateway } from '../harness.ts';
import type { Client } from '../http-client.ts';
import {
  ask,
  cost,
  how,
  oneHour,
  read,
  resultsIn,
  openFixture,
  startExa,
} from './cache-fixture.ts';

test('pages are cached one by one, and a page that failed is not', async () => {
  await using fixture = await openFixture('PostgreSQL');
  const { exa, gateways } = fixture;
  const account = await makeAccount(gateways[0], 1);
  const [one, two] = gateways.map(account.on) as [Client, Client];
  const [a, b, c] = ['a', 'b', 'c'].map((page) => `https://example.org/${page}`) as [
    string,
    string,
    string,
  ];
  const missing = 'https://example.org/missing';
  const first = await read(one, [a, b, missing]);
  expect([how(first), cost(first)]).toEqual(['miss', 2000]);
  const some = await read(two, [c, b]);
  expect([how(some), cost(some)]).toEqual(['partial; hits=1; joined=0; misses=1; age=N', 1000]);
  const all = await read(one, [c, a, b, 'https://EXAMPLE.org/a']);
  expect([how(all), cost(all)]).toEqual(['hit; age=N', 0]);
  const { results: found } = all.body as { results: { url: string; content: string }[] };
  expect(found.map(({ url, content }) => [url, content])).toEqual([
    [c, `Text 2 of ${c}`],
    [a, `Text 1 of ${a}`],
    [b, `Text 1 of ${b}`],
    ['https://EXAMPLE.org/a', `Text 1 of ${a}`],
  ]);
  expect(how(await read(one, [missing]))).toBe('miss');
  expect(exa.received.map(({ body }) => (body as { urls: string[] }).urls)).toEqual([
    [a, b, missing],
    [c],
    [missing],
  ]);
  expect((await moneyOf(one)).balance).toBe(1_000_000 - 3000);
});

test('a fusion uses the answers of its members, and a member those of a search', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });
  const client = (await makeAccount(gateway, 5)).on(gateway);
  const panel = { fusion: { providers: ['engine_a', 'engine_b', 'engine_c'] } };
  const fuse = (more: object = {}) =>
    ask(client, { provider: 'fusion', provider_options: panel, ...more });
  const alone = await ask(client, {});
  expect(how(alone)).toBe('miss');
  const first = await fuse();
  expect(how(first)).toBe('partial; hits=1; joined=0; misses=2; age=N');
  const again = await fuse();
  expect([how(again), cost(again)]).toEqual(['hit; age=N', 0]);
  expect(resultsIn(again)).toBe(resultsIn(first));
  const { warnings } = first.body as { warnings: unknown };
  expect((again.body as { warnings: unknown }).warnings).toEqual(warnings);
  const fewer = await fuse({
    provider_options: { fusion: { providers: ['engine_b', 'engine_a'], top_k: 3 } },
  });
  expect([how(fewer), cost(fewer)]).toEqual(['hit; age=N', 0]);
  expect(how(await ask(client, { provider: 'engine_b' }))).toBe('hit; age=N');
});

test('a header that is not a number of seconds is refused, and any header for a transcription', async () => {
  await using gateway = await startGateway({});
  const bad = ['-1', '1.5', 'x', '1e3', '2592001', '99999999', '', ' ', '3600, 3600', '0x10'];
  for (const value of bad) {
    const answer = await ask(gateway, {}, { 'x-trivium-cache': value });
    expect(`${value} ${answer.status}`).toBe(`${value} 400`);
    expect(answer.text).toContain('"path":"x-trivium-cache"');
  }
  const audio = { audio_url: 'https://example.org/a.mp3' };
  expect((await gateway.post('/v1/transcriptions', audio, oneHour)).status).toBe(400);
});

test('the cache stays within its limits, and the operator sets its default age', async () => {
  await using exa = startExa();
  const env = {
    ...exa.env,
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    TRIVIUM_CACHE_MAX_ENTRIES: '10',
    TRIVIUM_CACHE_SECONDS_SEARCH: '60',
  };
  await using gateway = await startGateway({ env });
  const client = (await makeAccount(gateway, 5)).on(gateway);
  for (let at = 0; at < 30; at += 1) {
    expect(how(await ask(client, { query: `q${at}` }, {}))).toBe('miss');
  }
  expect(how(await ask(client, { query: 'q29' }, {}))).toBe('hit; age=N');
  expect(how(await ask(client, { query: 'q0' }, {}))).toBe('miss');
  const { body } = await gateway.get('/admin/v1/cache', asOperator);
  expect((body as { entries: number }).entries).toBeLessThanOrEqual(11);
  expect((await gateway.get('/admin/v1/cache')).status).toBe(401);
  const all = await gateway.ask('DELETE', '/admin/v1/cache', undefined, asOperator);
  expect((all.body as { deleted: number }).deleted).toBeGreaterThan(8);
});

test('a panel of one member is answered as a panel, also from memory', async () => {
  const env = { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_DISABLED_PROVIDERS: 'engine_b' };
  await using gateway = await startGateway({ env });
  const client = (await makeAccount(gateway, 5)).on(gateway);
  // The second answer is written from the cache, and kept in memory in its written form.
  for (const _time of [1, 2]) await ask(client, { provider: 'engine_a' });
  const panel = { fusion: { providers: ['engine_a', 'engine_b'] } };
  const fused = await ask(client, { provider: 'fusion', provider_options: panel });
  expect(how(fused)).toBe('hit; age=N');
  expect(fused.body).toMatchObject({ provider: 'fusion' });
  expect(fused.text).toContain('"raw":{"providers":{"engine_a":{');
});
