// Policies of accounts and keys: what they refuse and remove, on every API of the gateway.
import { test } from 'bun:test';
import { interview } from '../jobs.ts';
import { issuesOf, pages, policyFixture, question } from '../policy-fixture.ts';
import { expect, proves } from '../proves.ts';
import { ErrorAnswer, ExtractAnswer, SearchAnswer } from '../shapes.ts';

const fixture = policyFixture('SQLite');

test('results of blocked domains are removed, in every spelling, with a warning', async () => {
  const { make } = fixture();
  const { post } = await make({ blocked_domains: ['blocked.example'] });
  const answer = SearchAnswer.parse((await post('/v1/search', question)).body);
  proves('policies.blocked-results', () => {
    expect(answer.results.map(({ url }) => url)).toEqual([
      'https://good.example/two',
      'https://other.example/five',
    ]);
    expect(answer.warnings).toMatchObject([
      {
        code: 'results_post_filtered',
        message: expect.stringContaining('3 of 5 results removed'),
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain('blocked.example/');
  });
  const strict = await post('/v1/search', { ...question, strict: true });
  expect([strict.status, SearchAnswer.parse(strict.body).results.length]).toEqual([200, 2]);
});

test('blocked pages are in failed, are not sent to the vendor, and cost nothing', async () => {
  const { received, make, balanceOf } = fixture();
  const { post, account } = await make({ blocked_domains: ['blocked.example'] });
  const before = received.length;
  // The last one leads to a blocked domain.
  const urls = [...pages, 'https://good.example/moved'];
  const asked = { urls, provider: 'engine_a', strict: true };
  const answer = ExtractAnswer.parse((await post('/v1/extract', asked)).body);
  expect(answer.results.map(({ url }) => url)).toEqual(urls.slice(0, 1));
  expect(answer.failed.map(({ url }) => url)).toEqual(urls.slice(1));
  for (const { error } of answer.failed) expect(error).toContain('policy');
  expect(JSON.stringify(received.slice(before))).not.toContain('blocked');
  const all = { urls: [pages[1]], provider: 'engine_a' };
  const [sent, left] = [received.length, await balanceOf(account)];
  const none = ExtractAnswer.parse((await post('/v1/extract', all)).body);
  await proves('policies.blocked-pages-free', async () => {
    expect([none.results, none.failed.length, none.usage.cost_usd]).toEqual([[], 1, 0]);
    expect([received.length, await balanceOf(account)]).toEqual([sent, left]);
  });
});

test('recordings of blocked domains give a 400 that names audio_url', async () => {
  const { make } = fixture();
  const { host } = new URL(interview);
  const { post } = await make({ blocked_domains: [host] });
  const refused = await post('/v1/transcriptions', { audio_url: interview });
  expect(refused.status).toBe(400);
  expect(issuesOf(refused.body)).toMatchObject([{ path: 'audio_url', code: 'not_allowed' }]);
});

test('a fusion is filtered, and loses the members that are not allowed', async () => {
  const { make } = fixture();
  const { post } = await make(
    { blocked_domains: ['blocked.example'], providers: ['engine_a', 'engine_b', 'engine_c'] },
    { providers: ['engine_a', 'engine_b', 'engine_d'] },
  );
  const panel = { fusion: { providers: ['engine_a', 'engine_b', 'engine_c'], top_k: 10 } };
  const asked = { query: 'tides', provider: 'fusion', provider_options: panel };
  const answer = SearchAnswer.parse((await post('/v1/search', asked)).body);
  const messages = answer.warnings.map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringMatching(/^engine_c: not on the panel/));
  expect(messages).toContainEqual(expect.stringMatching(/^engine_a: 3 of 5 results removed/));
  expect(JSON.stringify(answer)).not.toContain('blocked.example/');
  const none = { fusion: { providers: ['engine_e', 'engine_f'] } };
  const refused = await post('/v1/search', { ...asked, provider_options: none });
  expect([refused.status, issuesOf(refused.body)]).toMatchObject([400, [{ path: 'provider' }]]);
});

test('tools and providers that are not allowed give a 400, and auto chooses another', async () => {
  const { make } = fixture();
  const { post } = await make({ tools: ['search'] }, { providers: ['engine_b'] });
  const found = SearchAnswer.parse((await post('/v1/search', { query: 'tides' })).body);
  await proves('policies.providers', async () => {
    expect(found.provider).toBe('engine_b');
    const refused = await post('/v1/search', question);
    expect([refused.status, issuesOf(refused.body)]).toMatchObject([
      400,
      [{ path: 'provider', code: 'not_allowed' }],
    ]);
  });
  const tool = await post('/v1/extract', { urls: pages });
  proves(['policies.tools', 'policies.account-and-key'], () => {
    expect([tool.status, issuesOf(tool.body)]).toMatchObject([400, [{ code: 'not_allowed' }]]);
    expect(ErrorAnswer.parse(tool.body).error.message).toContain('extract');
  });
});

test('a request above the cost that the policy allows gives a 400', async () => {
  const { make, balanceOf } = fixture();
  const { post, account } = await make({ max_cost_usd: 0.01 }, { max_cost_usd: 0.005 });
  for (const [path, body] of [
    ['/v1/search', question],
    ['/v1/search', { query: 'tides', provider: 'fusion' }],
    ['/v1/transcriptions', { audio_url: interview }],
  ] as const) {
    const refused = await post(path, body);
    proves('policies.max-cost', () => {
      expect(refused.status).toBe(400);
      expect(issuesOf(refused.body)).toMatchObject([{ code: 'too_expensive' }]);
      expect(JSON.stringify(refused.body)).toContain('max_cost_usd');
    });
  }
  expect(await balanceOf(account)).toBe(5);
});

test('an estimate refuses what the policy refuses, with the same error', async () => {
  const { make } = fixture();
  const asked: Record<string, [tool: string, body: object]> = {
    '/v1/search': ['search', question],
    '/v1/extract': ['extract', { urls: pages, provider: 'engine_a' }],
    '/v1/transcriptions': ['transcription', { audio_url: interview }],
  };
  for (const policy of [
    { tools: ['search'] },
    { tools: ['extract', 'transcription'] },
    { providers: ['engine_b', 'stt_b'] },
    { max_cost_usd: 0.0001 },
    { blocked_domains: ['blocked.example', new URL(interview).host] },
  ]) {
    const { post } = await make(policy);
    let refusals = 0;
    for (const [path, [tool, body]] of Object.entries(asked)) {
      const [request, estimate] = [
        await post(path, body),
        await post(`/v1/estimates/${tool}`, body),
      ];
      const of = [JSON.stringify(policy), tool];
      if (request.status < 300) {
        expect([...of, estimate.status]).toEqual([...of, 200]);
        continue;
      }
      refusals += 1;
      const { type, message, detail } = ErrorAnswer.parse(request.body).error;
      const shown = [...of, estimate.status, ErrorAnswer.parse(estimate.body).error];
      expect(shown).toMatchObject([...of, request.status, { type, message, detail }]);
    }
    expect(refusals).toBeGreaterThan(0);
  }
});

test('the same policy applies to drop-in addresses and agents', async () => {
  const { gateway, make } = fixture();
  const { post, headers } = await make({ blocked_domains: ['blocked.example'] });
  const exa = await post('/compat/exa/search', { query: 'tides' });
  expect(exa.status).toBe(200);
  expect(exa.text).toContain('good.example');
  expect(exa.text).not.toContain('blocked.example/');
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'tides', provider: 'engine_a' } },
  };
  const accept = 'application/json, text/event-stream';
  const mcp = await gateway.post('/mcp', call, { ...headers, accept });
  expect(mcp.text).toContain('good.example');
  expect(mcp.text).not.toContain('blocked.example/');
  const barred = await make({ tools: ['extract'] });
  expect((await barred.post('/compat/exa/search', { query: 'tides' })).status).toBe(400);
});

test('a cached answer does not bypass the policy of another key', async () => {
  const { make, addKey } = fixture();
  const { account, post } = await make();
  const cached = { 'x-trivium-cache': '3600' };
  const extraction = { urls: pages, provider: 'engine_a' };
  for (let round = 0; round < 2; round += 1) {
    const all = await post('/v1/search', question, undefined, cached);
    expect(SearchAnswer.parse(all.body).results).toHaveLength(5);
    const read = await post('/v1/extract', extraction, undefined, cached);
    expect(ExtractAnswer.parse(read.body).results).toHaveLength(2);
  }
  const strict = await addKey(account, { blocked_domains: ['blocked.example'] });
  const panel = { fusion: { providers: ['engine_a', 'engine_b'] } };
  const fusion = { query: 'tides', provider: 'fusion', provider_options: panel };
  for (const expected of [
    ['miss', 'partial'],
    ['hit', 'hit'],
  ]) {
    const from: string[] = [];
    for (const body of [question, fusion]) {
      const found = await strict.post('/v1/search', body, undefined, cached);
      expect(found.text).not.toContain('blocked.example/');
      from.push(found.headers.get('x-trivium-cache')?.split(';')[0] ?? '');
    }
    expect(from).toEqual(expected);
    const read = await strict.post('/v1/extract', extraction, undefined, cached);
    expect(ExtractAnswer.parse(read.body).failed).toHaveLength(1);
  }
  // A hit costs nothing, so a limit of the cost does not refuse it.
  const poor = await addKey(account, { max_cost_usd: 0 });
  const free = await poor.post('/v1/search', question, undefined, cached);
  expect([free.status, free.headers.get('x-trivium-cache')?.slice(0, 3)]).toEqual([200, 'hit']);
  expect((await poor.post('/v1/search', question)).status).toBe(400);
});
