// The MCP server, called by the official client of the protocol, over HTTP and standard streams, with
// each protocol version: 2026-07-28, which has no handshake, and older ones.
import { describe, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { Balance } from '@trivium/contract';
import manifest from '../../package.json' with { type: 'json' };
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';
import { overHttp, overStdio, withAgent } from './agent.ts';
import type { Mode, Transport } from './agent.ts';
import { member, operator, send } from '../security/visitor.ts';

const newest = '2026-07-28';
const page = 'https://gridlines.example/storage/solar-storage-guide';
const gateway = sharedGateway();

const withNewest = <T>(at: Transport, work: (agent: Client) => Promise<T>) =>
  withAgent(at, work, { pin: newest });
const call = async (agent: Client, name: string, input: Record<string, unknown>) => {
  const result = await agent.callTool({ name, arguments: input });
  return { ...result, text: textOf(result.content) };
};
const balance = async () =>
  ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
const textOf = ([first]: readonly { type: string; text?: unknown }[]) => String(first?.text);

describe.each([
  ['HTTP', overHttp],
  ['standard streams', overStdio],
])('over %s', (_name, open) => {
  test.each([
    ['the newest by default', 'auto', newest],
    ['an older one', 'legacy', '2025-11-25'],
  ] as [string, Mode, string][])('%s is negotiated', async (_which, mode, version) => {
    await withAgent(
      open(gateway()),
      async (agent) => {
        expect(agent.getNegotiatedProtocolVersion()).toBe(version);
        expect(agent.getServerVersion()).toMatchObject({
          name: 'trivium',
          version: manifest.version,
        });
        // After listTools the client validates each answer against its schema.
        const { tools } = await agent.listTools();
        expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
        const found = await agent.callTool({ name: 'search', arguments: { query: 'solar' } });
        expect(found.structuredContent).toMatchObject({ provider: 'engine_a' });
        const urls = [page, 'https://no.example/'];
        const read = await agent.callTool({ name: 'extract', arguments: { urls } });
        expect(read.structuredContent).toMatchObject({ results: [{}], failed: [{}] });
        const { contents } = await agent.readResource({ uri: 'trivium://providers' });
        expect(JSON.stringify(contents)).toContain('engine_a');
      },
      mode,
    );
  });

  test('every tool is offered, and a search and pages return text and the same as data', async () => {
    await withNewest(open(gateway()), async (agent) => {
      const { tools } = await agent.listTools();
      expect(agent.getNegotiatedProtocolVersion()).toBe(newest);
      const input = { query: 'solar energy storage', max_results: 2 };
      const { text, structuredContent, isError } = await call(agent, 'search', input);
      await proves('surface.mcp', async () => {
        expect(tools.map(({ name }) => name)).toEqual([
          ...['search', 'extract', 'read_and_search', 'transcribe', 'get_job', 'report_results'],
        ]);
        const { resources } = await agent.listResources();
        expect(resources.map(({ uri }) => uri)).toEqual(['trivium://providers']);
        expect(isError).toBeUndefined();
        expect(text).toContain('[1] ');
        expect(text).toMatch(/\(Exa \(engine_a\), 0\.\d+ USD, srch_[0-9a-f]{32}\)$/);
        expect(structuredContent).toMatchObject({ provider: 'engine_a', results: [{}, {}] });
      });
      expect(text).not.toContain('raw');
      const [id] = /srch_[0-9a-f]{32}/.exec(text) ?? [];
      const [url] = /https:\S+/.exec(text) ?? [];
      const reported = await call(agent, 'report_results', { id, cited: [url] });
      expect(reported.structuredContent).toMatchObject({ cited: 1, unknown: [] });
      const urls = [page, 'https://no.example/'];
      const read = await call(agent, 'extract', { urls, max_chars: 200 });
      expect(read.text).toContain('Solar panels');
      expect(read.text).toContain('Could not read https://no.example/');
    });
  });

  test('every tool refuses an unknown argument by name, without a charge', async () => {
    await withNewest(open(gateway()), async (agent) => {
      const { tools } = await agent.listTools();
      for (const { inputSchema } of tools) expect(inputSchema['additionalProperties']).toBe(false);
      const before = await balance();
      const audioUrl = 'https://recordings.example/interview.wav';
      const id = `job_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
      for (const [name, known, unknown, near] of [
        ['search', { query: 'x' }, { num_results: 3 }, 'max_results'],
        ['search', { query: 'x' }, { published_after: '2026-01-01' }, 'freshness'],
        ['search', { query: 'x' }, { constructor: 1 }, undefined],
        ['search', { query: 'x' }, { ['']: 1 }, undefined],
        ['extract', { urls: [page] }, { maxChars: 100 }, 'max_chars'],
        ['read_and_search', { query: 'x' }, { budget: 1 }, 'max_cost_usd'],
        ['read_and_search', { query: 'x' }, { max_results: 3 }, 'max_pages'],
        ['transcribe', { audio_url: audioUrl }, { lang: 'en' }, 'language'],
        ['get_job', { id }, { job_id: id }, 'id'],
        ['report_results', { id: `srch_${'0'.repeat(32)}` }, { useful: [page] }, 'cited'],
      ] as const) {
        const asked = { name, arguments: { ...known, ...unknown } };
        const { isError, content } = await agent.callTool(asked);
        const message = textOf(content);
        const [said = ''] = Object.keys(unknown);
        const hint = near === undefined ? '' : `; the nearest known one is "${near}"`;
        const wanted = `Unknown argument "${said}"${hint}.`;
        expect([isError, message]).toEqual([true, expect.stringContaining(wanted)]);
      }
      expect(await balance()).toBe(before);
    });
  });
});

test('a tool call is charged like any other request', async () => {
  const before = await balance();
  const { structuredContent } = await withNewest(overHttp(gateway()), (agent) =>
    call(agent, 'search', { query: 'wind' }),
  );
  const cost = (structuredContent as { usage: { cost_usd: number } }).usage.cost_usd;
  expect(cost).toBeGreaterThan(0);
  expect(await balance()).toBeCloseTo(before - cost, 6);
});

test('an error that the model can correct is a result, not an exception', async () => {
  await withNewest(overHttp(gateway()), async (agent) => {
    const id = `job_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
    const { isError, text } = await call(agent, 'get_job', { id });
    expect(isError).toBe(true);
    expect(text).toContain('not_found');
  });
});

test('a vendor may be named instead of its id', async () => {
  await withNewest(overHttp(gateway()), async (agent) => {
    const { structuredContent, text } = await call(agent, 'search', {
      query: 'wind',
      provider: 'You.com',
    });
    expect(structuredContent).toMatchObject({ provider: 'engine_j' });
    expect(text).toContain('(You.com (engine_j), ');
    const { tools } = await agent.listTools();
    const [search] = tools.filter(({ name }) => name === 'search');
    expect(search?.inputSchema.properties?.['provider']).toMatchObject({
      enum: expect.arrayContaining(['auto', 'fusion', 'you', 'engine_j']),
    });
    const wrong = await call(agent, 'extract', { urls: ['https://a.example/'], provider: 'brave' });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('provider')]);
  });
});

test('a wrong key gives a 401 before the body is read', async () => {
  const wrong = overHttp({ ...gateway(), key: 'sk_live_wrong' });
  expect(await withNewest(wrong, async () => 'accepted').catch(String)).not.toBe('accepted');
  const { status } = await gateway().post('/mcp', {}, { authorization: null });
  expect(status).toBe(401);
});

test('other methods are refused with the allowed one', async () => {
  const { status, headers } = await gateway().get('/mcp');
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

test('null leaves an argument out, as some frameworks send it', async () => {
  await withNewest(overHttp(gateway()), async (agent) => {
    const input = { query: 'solar', provider: null, max_results: null, freshness: null };
    const { isError } = await agent.callTool({ name: 'search', arguments: input });
    expect(isError).toBeUndefined();
    const refused = await agent.callTool({ name: 'search', arguments: { query: null } });
    expect(refused.isError).toBe(true);
  });
});

test('transcribes a recording with the newest protocol and reports each state', async () => {
  await withNewest(overHttp(gateway()), async (agent) => {
    await agent.listTools();
    const seen: string[] = [];
    const input = { audio_url: 'https://recordings.example/interview.wav' };
    const onprogress = ({ message = '' }: { message?: string | undefined }) =>
      void seen.push(message);
    const called = await agent.callTool({ name: 'transcribe', arguments: input }, { onprogress });
    const { id, status } = called.structuredContent as Record<string, string>;
    expect([status, seen.at(-1)]).toEqual(['completed', 'completed, completed']);
    const again = await agent.callTool({ name: 'get_job', arguments: { id } });
    expect(again.structuredContent).toMatchObject({ id, status, text: expect.any(String) });
  });
});

describe('with plain HTTP requests', () => {
  const meta = (version: string) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  const ask = (method: string, params: object, version = newest, headers = {}) =>
    gateway().post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta(version) } },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...headers,
      },
    );

  test('one request without a handshake is answered with one body', async () => {
    const asked = { name: 'search', arguments: { query: 'solar', max_results: 1 } };
    const { status, body, headers } = await ask('tools/call', asked, newest, {
      'mcp-name': 'search',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(body).toMatchObject({ result: { structuredContent: { provider: 'engine_a' } } });
  });

  test('an unknown version is refused with the list of known versions', async () => {
    const { status, body } = await ask('tools/list', {}, '2099-01-01');
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { data: { supported: [newest] } } });
  });

  test('a subscription is refused, so no stream stays open', async () => {
    const wanted = { notifications: { toolsListChanged: true } };
    const { text } = await ask('subscriptions/listen', wanted);
    expect(text).toContain('"error"');
  });

  test.each([[null], [7], ['x'], [[]], [{}], [{ jsonrpc: '2.0', id: 1, method: 'no/such' }]])(
    'a body that is not a call is a client error: %j',
    async (body) => {
      const refusal = await gateway().post('/mcp', body, {
        accept: 'application/json, text/event-stream',
      });
      expect(refusal.status).toBeLessThan(500);
      expect(refusal.text).toContain('error');
    },
  );

  test('more unknown arguments than can be listed are counted', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [`x${index}`.padEnd(80, 'y'), 1]);
    const asked = { name: 'search', arguments: { query: 'x', ...Object.fromEntries(many) } };
    const { text } = await ask('tools/call', asked, newest, { 'mcp-name': 'search' });
    expect(text).toContain('"isError":true');
    expect(text).toContain('9995 more');
    expect(text.length).toBeLessThan(3000);
  });
});

test('a session of the dashboard calls tools, for the account of the person', async () => {
  const ada = await operator(gateway());
  const account = await ada.made('/admin/v1/accounts', { name: 'Grid' });
  await send(ada, 'POST', `/admin/v1/accounts/${account.id}/topups`, {
    amount_usd: 1,
    reason: 'test',
  });
  const bob = await member(gateway(), ada, account.id, 'bob@example.org');
  const transport = (headers: Record<string, string>) => overHttp(gateway(), headers);
  const search = { name: 'search', arguments: { query: 'solar', provider: 'engine_a' } };
  const before = await balance();
  const answer = await withAgent(
    transport(bob.headers()),
    (agent) => agent.callTool(search),
    'auto',
  );
  expect([answer.isError ?? false, textOf(answer.content as never)]).toEqual([
    false,
    expect.stringContaining('solar'),
  ]);
  const { balance_usd } = Balance.parse(await (await bob.ask('GET', '/v1/balance')).json());
  expect(balance_usd).toBeLessThan(1);
  expect(await balance()).toBe(before);

  const { cookie = '' } = bob.headers();
  const refused = async (headers: Record<string, string>) => {
    const tried = withAgent(transport(headers), (agent) => agent.callTool(search), 'auto');
    return tried.then(
      () => 'served',
      () => 'refused',
    );
  };
  expect(await refused({ cookie, origin: 'https://elsewhere.example' })).toBe('refused');
  expect(await refused({ ...bob.headers(), 'x-trivium-account': 'acct_default' })).toBe('refused');
  expect(await refused({})).toBe('refused');
  const after = Balance.parse(await (await bob.ask('GET', '/v1/balance')).json());
  expect(after.balance_usd).toBe(balance_usd);
});
