// Tags of requests on both engines: checked where they enter, and shown in the log, in exports and
// in usage.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ErrorEnvelope, RequestLine, RequestList } from '@trivium/contract';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

describe.each(engines)('on $name', (engine) => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '5');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const admin = (path: string) => fixture.gateway.admin('GET', path);
  const lineOf = async (response: Response) => {
    const id = response.headers.get('x-request-id') ?? '';
    await waitFor(async () => (await admin(`/requests/${id}`)).status === 200, {
      what: 'the details are written',
    });
    return RequestLine.parse(await (await admin(`/requests/${id}`)).json());
  };

  test('a header that is not a list of tags gets a 400 for every tool, and costs nothing', async () => {
    const paid = async () => (await fixture.gateway.ask('GET', '/v1/balance')).text();
    const before = [fixture.exa.calls(), await paid()];
    const bodies = {
      '/v1/search': { query: 'solar' },
      '/v1/extract': { urls: ['https://example.org/'] },
      '/v1/transcriptions': { audio_url: 'https://example.org/a.wav' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const headers = { 'x-trivium-tags': 'team' };
      const response = await fixture.gateway.ask('POST', path, { body, headers });
      const { error } = ErrorEnvelope.parse(await response.json());
      expect([response.status, error.type]).toEqual([400, 'invalid_request']);
      expect(error.detail).toMatchObject({ issues: [{ path: 'x-trivium-tags' }] });
    }
    expect([fixture.exa.calls(), await paid()]).toEqual(before);
  });

  test('lines of a repeated header are one list', async () => {
    const sent = new Headers({ authorization: `Bearer ${fixture.gateway.key}` });
    sent.set('content-type', 'application/json');
    sent.append('x-trivium-tags', 'team=search');
    sent.append('x-trivium-tags', 'run=42, step=1');
    const body = JSON.stringify({ query: 'solar' });
    const url = `${fixture.gateway.url}/v1/search`;
    const response = await fetch(url, { method: 'POST', headers: sent, body });
    expect((await lineOf(response)).tags).toEqual({ team: 'search', run: '42', step: '1' });
  });

  test('an inherited name is a name like any other', async () => {
    const response = await fixture.gateway.search({ 'x-trivium-tags': '__proto__=x' });
    const id = response.headers.get('x-request-id') ?? '';
    const text = await (await admin(`/requests/${id}`)).text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('{"__proto__":"x"}')]);
  });

  test('the log is filtered by a tag and its value, and the export has the tags', async () => {
    await fixture.gateway.search({ 'x-trivium-tags': 'project=solar,under_score=1' });
    await fixture.gateway.search({ 'x-trivium-tags': 'project=wind,underXscore=1' });
    const tagsBy = async (tag: string) => {
      const answer = await admin(`/requests?tag=${tag}`);
      const { requests } = RequestList.parse(await answer.json());
      return requests.map(({ tags }) => tags['project']);
    };
    expect(await tagsBy('project')).toEqual(['wind', 'solar']);
    expect(await tagsBy('project=solar')).toEqual(['solar']);
    expect(await tagsBy('project=sol')).toEqual([]);
    expect(await tagsBy('roject=solar')).toEqual([]);
    expect(await tagsBy('under_score=1')).toEqual(['solar']);
    const csv = await (await admin('/requests/export?format=csv&tag=project=solar')).text();
    expect(csv).toContain(',"project=solar,under_score=1",');
  });

  test('the drop-in APIs and agents pass the tags on', async () => {
    const headers = { 'x-trivium-tags': 'via=drop-in', 'x-trivium-provider': 'engine_a' };
    const body = { query: 'solar' };
    const dropIn = await fixture.gateway.ask('POST', '/compat/tavily/search', { headers, body });
    expect([dropIn.status, (await lineOf(dropIn)).tags]).toEqual([200, { via: 'drop-in' }]);
    const refused = await fixture.gateway.ask('POST', '/compat/tavily/search', {
      headers: { ...headers, 'x-trivium-tags': 'via' },
      body,
    });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('x-trivium-tags'),
    ]);
    const params = { name: 'search', arguments: { query: 'solar', provider: 'engine_a' } };
    const agent = await fixture.gateway.ask('POST', '/mcp', {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        'x-trivium-tags': 'via=agent',
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    expect([agent.status, await agent.text()]).toEqual([200, expect.stringContaining('engine_a')]);
    const { requests } = RequestList.parse(await (await admin('/requests?tag=via=agent')).json());
    expect(requests.map(({ tags }) => tags)).toEqual([{ via: 'agent' }]);
  });

  test('a replay is free whatever its tags, and is logged with its own', async () => {
    const once = { 'idempotency-key': 'tagged-once' };
    const first = await fixture.gateway.search({ ...once, 'x-trivium-tags': 'try=1' });
    const again = await fixture.gateway.search({ ...once, 'x-trivium-tags': 'try=2' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const line = await lineOf(again);
    expect([line.tags, line.cost_usd]).toEqual([{ try: '2' }, 0]);
    expect(line.replay_of).toBe(first.headers.get('x-request-id'));
  });

  test('usage by tag equals what the ledger charged', async () => {
    const lines = [];
    for (const value of ['one', 'two']) {
      const tags = { 'x-trivium-tags': `billed=${value},run=${value}` };
      lines.push(await lineOf(await fixture.gateway.search(tags)));
    }
    // Its answer waits until everything is booked.
    await admin('/transfers');
    const { database } = fixture.store;
    const [charged] = await database.run(
      `select coalesce(sum(0 - amount), 0) as sum from transfers
       where kind = 'settle' and tags like '%billed=%'`,
    );
    const [used] = await database.run(
      `select sum(cost) as sum, sum(requests) as requests from usage_tags where tag = 'billed'`,
    );
    const cost = lines.reduce((sum, { cost_usd }) => sum + Math.round(cost_usd * 1e6), 0);
    expect(cost).toBeGreaterThan(0);
    expect([Number(used?.['sum']), Number(used?.['requests'])]).toEqual([cost, 2]);
    expect(Number(charged?.['sum'])).toBe(cost);
  });
});
