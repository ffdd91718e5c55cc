// Policies of accounts and keys, on both stores and with two gateways where the store is shared:
// what they refuse and remove, by every way into the gateway, and who may set them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Account, AuditList, Key, NewKey } from '@trivium/contract';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { member, operator } from '../security/visitor.ts';
import { ErrorAnswer, ExtractAnswer, SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream, upstreamKey } from '../upstream.ts';
import type { Received } from '../upstream.ts';

const limitMs = 120_000;
const token = 'operator-token-of-the-tests-0123456789';
const secret = 'one secret for both gateways of this test';
const hits = [
  'https://www.blocked.example/one',
  'https://good.example/two',
  'https://www.google.com/url?q=https://blocked.example/three',
  'https://sub.Blocked.example:8443/four',
  'https://other.example/five',
];
const question = { query: 'tides', provider: 'engine_a' };
const pages = ['https://good.example/page', 'https://WWW.blocked.example./page'];

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let stop: AsyncDisposableStack;
  let gateway: Gateway;
  /** A second gateway on the same store; the same one on SQLite. */
  let other: Gateway;
  let received: Received[];
  /** While set, the vendor does not answer. */
  let pause: Promise<void> | undefined;

  beforeAll(async () => {
    stop = new AsyncDisposableStack();
    const upstream = stop.use(
      startUpstream(async (request) => {
        await pause;
        return request.path === '/contents' ? contents(request.body) : exaAnswer(hits.map(hit));
      }),
    );
    ({ received } = upstream);
    const sandbox = stop.use(await startSandboxProcess());
    const database = engine === 'PostgreSQL' ? stop.use(await createDatabase()) : undefined;
    const options = {
      sandbox: sandbox.url,
      ...(database ? { database_url: database.url } : {}),
      env: {
        TRIVIUM_ADMIN_TOKEN: token,
        TRIVIUM_SECRET: secret,
        EXA_API_KEY: upstreamKey,
        EXA_BASE_URL: upstream.url,
      },
    };
    gateway = stop.use(await startGateway(options));
    const env = { ...options.env, TRIVIUM_BOOTSTRAP_KEY: gateway.key };
    other = database ? stop.use(await startGateway({ ...options, env })) : gateway;
  }, limitMs);
  afterAll(() => stop.disposeAsync(), limitMs);

  const admin = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    return gateway.ask(method, `/admin/v1${path}`, body, headers);
  };
  /** A new account with money, with its policy and with the policy of its key. */
  const make = async (ofAccount: object = {}, ofKey: object = {}) => {
    const made = await admin('POST', '/accounts', { name: 'Limited', ...ofAccount });
    const account = Account.parse(made.body);
    await admin('POST', `/accounts/${account.id}/topups`, { amount_usd: 5, reason: 'test' });
    const keyed = await admin('POST', `/accounts/${account.id}/keys`, { name: 'k', ...ofKey });
    const { key, id } = NewKey.parse(keyed.body);
    const headers = { authorization: `Bearer ${key}` };
    const post = (path: string, body: object, at = gateway) => at.post(path, body, headers);
    return { account, id, headers, post };
  };
  const balanceOf = async ({ id }: Account) =>
    Account.parse((await admin('GET', `/accounts/${id}`)).body).balance_usd;

  test('results of blocked domains are removed, in every spelling, with a warning', async () => {
    const { post } = await make({ blocked_domains: ['blocked.example'] });
    const answer = SearchAnswer.parse((await post('/v1/search', question)).body);
    expect(answer.results.map(({ url }) => url)).toEqual([
      'https://good.example/two',
      'https://other.example/five',
    ]);
    expect(answer.warnings).toMatchObject([
      { code: 'results_post_filtered', message: expect.stringContaining('3 of 5 results removed') },
    ]);
    expect(JSON.stringify(answer)).not.toContain('blocked.example/');
    const strict = await post('/v1/search', { ...question, strict: true });
    expect([strict.status, SearchAnswer.parse(strict.body).results.length]).toEqual([200, 2]);
  });

  test('the policies of the account and of the key both apply', async () => {
    const allowed = { allowed_domains: ['good.example', 'blocked.example'] };
    const { post } = await make(allowed, { blocked_domains: ['www.blocked.example'] });
    const answer = SearchAnswer.parse((await post('/v1/search', question)).body);
    expect(answer.results.map(({ url }) => url)).toEqual(['https://good.example/two']);
  });

  test('blocked pages are in failed, are not sent to the vendor, and cost nothing', async () => {
    const { post, account } = await make({ blocked_domains: ['blocked.example'] });
    const before = received.length;
    const asked = { urls: pages, provider: 'engine_a', strict: true };
    const answer = ExtractAnswer.parse((await post('/v1/extract', asked)).body);
    expect(answer.results.map(({ url }) => url)).toEqual([pages[0] ?? '']);
    expect(answer.failed).toMatchObject([
      { url: pages[1], error: expect.stringContaining('policy') },
    ]);
    expect(JSON.stringify(received.slice(before))).not.toContain('blocked');
    const all = { urls: [pages[1]], provider: 'engine_a' };
    const [sent, left] = [received.length, await balanceOf(account)];
    const none = ExtractAnswer.parse((await post('/v1/extract', all)).body);
    expect([none.results, none.failed.length, none.usage.cost_usd]).toEqual([[], 1, 0]);
    expect([received.length, await balanceOf(account)]).toEqual([sent, left]);
  });

  test('a page that leads to a blocked domain is in failed', async () => {
    const { post } = await make({ blocked_domains: ['blocked.example'] });
    const asked = { urls: ['https://good.example/moved'], provider: 'engine_a' };
    const answer = ExtractAnswer.parse((await post('/v1/extract', asked)).body);
    expect(answer.failed).toMatchObject([{ error: expect.stringContaining('policy') }]);
    expect(answer.results).toEqual([]);
  });

  test('recordings of blocked domains are a 400 that names audio_url', async () => {
    const { host } = new URL(interview);
    const { post } = await make({ blocked_domains: [host] });
    const refused = await post('/v1/transcriptions', { audio_url: interview });
    expect(refused.status).toBe(400);
    expect(issuesOf(refused.body)).toMatchObject([{ path: 'audio_url', code: 'not_allowed' }]);
  });

  test('the members of a fusion are filtered, and those that are not allowed are dropped', async () => {
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

  test('tools and providers that are not allowed are a 400, and auto chooses another', async () => {
    const { post } = await make({ tools: ['search'] }, { providers: ['engine_b'] });
    const found = SearchAnswer.parse((await post('/v1/search', { query: 'tides' })).body);
    expect(found.provider).toBe('engine_b');
    const refused = await post('/v1/search', question);
    expect([refused.status, issuesOf(refused.body)]).toMatchObject([
      400,
      [{ path: 'provider', code: 'not_allowed' }],
    ]);
    const tool = await post('/v1/extract', { urls: pages });
    expect([tool.status, issuesOf(tool.body)]).toMatchObject([400, [{ code: 'not_allowed' }]]);
    expect(ErrorAnswer.parse(tool.body).error.message).toContain('extract');
  });

  test('a request that may cost more than the policy allows is a 400, and nothing moves', async () => {
    const { post, account } = await make({ max_cost_usd: 0.01 }, { max_cost_usd: 0.005 });
    for (const [path, body] of [
      ['/v1/search', question],
      ['/v1/search', { query: 'tides', provider: 'fusion' }],
      ['/v1/transcriptions', { audio_url: interview }],
    ] as const) {
      const refused = await post(path, body);
      expect(refused.status).toBe(400);
      expect(issuesOf(refused.body)).toMatchObject([{ code: 'too_expensive' }]);
      expect(JSON.stringify(refused.body)).toContain('max_cost_usd');
    }
    expect(await balanceOf(account)).toBe(5);
  });

  test('requests per minute are shared by the keys of an account and by the gateways', async () => {
    const { account, post } = await make({ requests_per_minute: 3 });
    const second = await admin('POST', `/accounts/${account.id}/keys`, { name: 'second' });
    const headers = { authorization: `Bearer ${NewKey.parse(second.body).key}` };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        at % 2 === 0
          ? post('/v1/search', question, at % 4 === 0 ? gateway : other)
          : other.post('/v1/search', question, headers),
      ),
    );
    const served = answers.filter(({ status }) => status === 200);
    // A minute may end in between.
    expect([3, 6]).toContain(served.length);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused?.body).toMatchObject({
      error: { type: 'rate_limited', detail: { requests_per_minute: 3, limit_of: 'account' } },
    });
  });

  test('requests at once are shared by the gateways, and end with each request', async () => {
    const { post, account } = await make({ requests_at_once: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    pause = promise;
    const before = received.length;
    const running = [post('/v1/search', question), post('/v1/search', question, other)];
    while (received.length < before + 2) await Bun.sleep(5);
    const refused = await Promise.all([
      post('/v1/search', question),
      post('/v1/search', question, other),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.body).toMatchObject({ error: { detail: { requests_at_once: 2 } } });
    pause = undefined;
    resolve();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await post('/v1/search', question, other)).status).toBe(200);
    expect(await balanceOf(account)).toBe(5 - 3 * 0.007);
  });

  test('drop-in addresses and agents obey the same policy', async () => {
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

  test('a change applies at once here, and within a second on the other gateway', async () => {
    const { account, id, post } = await make();
    const count = async (at: Gateway) =>
      SearchAnswer.parse((await post('/v1/search', question, at)).body).results.length;
    expect([await count(gateway), await count(other)]).toEqual([5, 5]);
    await admin('PATCH', `/accounts/${account.id}`, { blocked_domains: ['blocked.example'] });
    expect(await count(gateway)).toBe(2);
    while ((await count(other)) !== 2) await Bun.sleep(50);
    await admin('PATCH', `/accounts/${account.id}`, { blocked_domains: null });
    await admin('PATCH', `/keys/${id}`, { allowed_domains: ['good.example'] });
    expect(await count(gateway)).toBe(1);
    const [entry] = AuditList.parse(
      (await admin('GET', `/audit?target=${account.id}&action=account.changed`)).body,
    ).entries;
    expect(entry).toMatchObject({
      before: { blocked_domains: ['blocked.example'] },
      after: { blocked_domains: null },
    });
  });

  test('a refused change names its field, and changes nothing', async () => {
    const { account, id } = await make({ requests_per_minute: 5 }, { tools: ['search'] });
    const many = Array.from({ length: 30_000 }, (_, at) => `d${at}.example`);
    for (const [field, value] of [
      ['requests_per_minute', -1],
      ['requests_at_once', 0.5],
      ['max_cost_usd', 1e9],
      ['keep_query_hours', -1],
      ['tools', ['read']],
      ['providers', ['__proto__']],
      ['blocked_domains', ['a b']],
      ['allowed_domains', many],
    ] as const) {
      for (const path of [`/accounts/${account.id}`, `/keys/${id}`]) {
        const refused = await admin('PATCH', path, { name: 'changed', [field]: value });
        expect([path, field, refused.status]).toEqual([path, field, 400]);
        expect(issuesOf(refused.body)[0]?.path.split('.')[0]).toBe(field);
      }
    }
    const read = Account.parse((await admin('GET', `/accounts/${account.id}`)).body);
    expect([read.name, read.requests_per_minute, read.tools]).toEqual(['Limited', 5, null]);
    const key = Key.parse((await admin('PATCH', `/keys/${id}`, {})).body);
    expect([key.name, key.tools]).toEqual(['k', ['search']]);
    expect((await admin('PATCH', '/accounts/acct_of_no_one', { name: 'x' })).status).toBe(404);
  });

  test('members read policies and cannot change them', async () => {
    const ada = await operator(gateway);
    const { account, id } = await make({ tools: ['search'] });
    const bob = await member(gateway, ada, account.id, `bob-${engine}@example.org`);
    const own = `/admin/v1/accounts/${account.id}`;
    expect(Account.parse(await (await bob.ask('GET', own)).json()).tools).toEqual(['search']);
    const status = async (method: string, path: string, body: object) =>
      (await bob.ask(method, path, { body })).status;
    expect(await status('PATCH', own, { tools: null })).toBe(403);
    expect(await status('PATCH', `/admin/v1/keys/${id}`, { tools: null })).toBe(403);
    expect(await status('POST', `${own}/keys`, { name: 'n', requests_at_once: 9 })).toBe(403);
    expect(await status('PATCH', `/admin/v1/keys/${id}`, { providers: ['engine_a'] })).toBe(200);
    // A request in the dashboard belongs to the account.
    expect(await status('POST', '/v1/extract', { urls: pages })).toBe(400);
  });

  test(
    'a gateway that is killed does not keep its requests in progress',
    async () => {
      const { post } = await make({}, { requests_at_once: 1 });
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = promise;
      const before = received.length;
      const lost = post('/v1/search', question, other).catch(() => undefined);
      while (received.length === before) await Bun.sleep(5);
      pause = undefined;
      expect((await post('/v1/search', question)).status).toBe(429);
      await other.kill9();
      await lost;
      resolve();
      // Another gateway notices that it is gone; alone, it releases what it held when it starts.
      if (other === gateway) await gateway.restart();
      const status = async () => (await post('/v1/search', question)).status;
      while ((await status()) !== 200) await Bun.sleep(200);
    },
    limitMs,
  );
});

function hit(url: string, at: number) {
  return { id: url, url, title: `Hit ${at}`, highlights: ['tides'], text: 'tides' };
}

/** An extraction answer of the vendor; the page `moved` leads to a blocked domain. */
function contents(body: unknown): Response {
  const { urls } = body as { urls: string[] };
  return Response.json({
    requestId: '4f1c0d9a5b7e4c2f8a6d3e1b0c9f7a53',
    results: urls.map((url, at) => ({
      ...hit(url, at),
      ...(url.endsWith('/moved') ? { url: 'https://blocked.example/there' } : {}),
    })),
    statuses: urls.map((id) => ({ id, status: 'success' })),
    costDollars: { total: 0.001 * urls.length },
  });
}

function issuesOf(body: unknown): { path: string; code: string }[] {
  const { detail } = ErrorAnswer.parse(body).error;
  return (detail as { issues: { path: string; code: string }[] }).issues;
}
