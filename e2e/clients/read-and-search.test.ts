// The tool read_and_search and the resources of jobs, called by the official client of MCP.
import { describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { sharedGateway } from '../harness.ts';
import { overHttp, overStdio, withAgent } from './agent.ts';

const adminToken = 'operator-token-of-the-agent-tests';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });

interface Read {
  pages: { url: string; content: string }[];
  others: { url: string }[];
  failed: { url: string }[];
  note?: string;
  usage: { cost_usd: number };
}

const ask = (agent: Client, input: object) =>
  agent.callTool({
    name: 'read_and_search',
    arguments: { query: 'solar energy storage', ...input },
  });
const balanceOf = async (at = gateway()) =>
  ((await at.get('/v1/balance')).body as { balance_usd: number }).balance_usd;

describe.each([
  ['HTTP', overHttp],
  ['standard streams', overStdio],
])('over %s', (_name, open) => {
  test('the best pages are read, within the budget of characters', async () => {
    await withAgent(open(gateway()), async (agent) => {
      const { structuredContent, content } = await ask(agent, { max_pages: 3, max_chars: 700 });
      const { pages, others, failed } = structuredContent as Read;
      expect(pages.length + failed.length).toBe(3);
      const chars = pages.reduce((sum, page) => sum + page.content.length, 0);
      expect(chars).toBeLessThanOrEqual(700);
      expect(chars).toBeGreaterThan(600);
      expect(others.length).toBeGreaterThan(0);
      expect(JSON.stringify(content)).toContain('Also found');
    });
  });
});

describe('the budget of money', () => {
  test('is never exceeded, and the balance pays what the answer says', async () => {
    await withAgent(overHttp(gateway()), async (agent) => {
      for (const budget of [0, 0.000001, 0.006, 0.0071, 0.008, 0.0092, 0.0101, 0.5]) {
        const before = await balanceOf();
        const { structuredContent, isError } = await ask(agent, {
          max_pages: 5,
          max_cost_usd: budget,
        });
        const paid = before - (await balanceOf());
        expect([budget, paid <= budget + 1e-9]).toEqual([budget, true]);
        const { usage } = (structuredContent ?? { usage: { cost_usd: 0 } }) as Read;
        expect(paid).toBeCloseTo(isError ? 0 : usage.cost_usd, 9);
      }
    });
  });

  test('that covers the search and some pages reads fewer, and says so', async () => {
    await withAgent(overHttp(gateway()), async (agent) => {
      const whole = (await ask(agent, { max_pages: 5, max_cost_usd: 1 })).structuredContent;
      const { usage, pages } = whole as Read;
      const budget = usage.cost_usd - 0.000001;
      const part = (await ask(agent, { max_pages: 5, max_cost_usd: budget })).structuredContent;
      const fewer = part as Read;
      expect(fewer.pages.length).toBeLessThan(pages.length);
      expect(fewer.note).toMatch(/The budget allows reading \d of 5 pages/);
      expect(fewer.usage.cost_usd).toBeLessThanOrEqual(budget);
    });
  });

  test('that is too small for the search charges nothing, and the model reads why', async () => {
    await withAgent(overHttp(gateway()), async (agent) => {
      const before = await balanceOf();
      const { isError, content } = await ask(agent, { max_cost_usd: 0 });
      expect([isError, JSON.stringify(content)]).toEqual([
        true,
        expect.stringContaining('insufficient_credits'),
      ]);
      expect(await balanceOf()).toBe(before);
    });
  });

  const wrong: [string, object][] = [
    ['a negative budget', { max_cost_usd: -1 }],
    ['a budget as text', { max_cost_usd: '0.1' }],
    ['a huge budget', { max_cost_usd: 1e9 }],
    ['no pages', { max_pages: 0 }],
    ['half a page', { max_pages: 2.5 }],
    ['too many pages', { max_pages: 11 }],
    ['too many characters', { max_chars: 1e9 }],
    ['negative characters', { max_chars: -5 }],
    ['a blank query', { query: ' ' }],
    ['an inherited name', { constructor: 1 }],
    ['too many domains', { include_domains: Array.from({ length: 10_000 }, () => 'a.example') }],
  ];

  test.each(wrong)('with %s, nothing is charged', async (_name, input) => {
    await withAgent(overHttp(gateway()), async (agent) => {
      const before = await balanceOf();
      expect((await ask(agent, input)).isError).toBe(true);
      expect(await balanceOf()).toBe(before);
    });
  });
});

const asOperator = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await gateway().post(path, body, headers)).body as { id: string; key: string };
};

test('when no page can be read, the paid search is still returned, with the reason', async () => {
  const account = await asOperator('/admin/v1/accounts', { name: 'searches only' });
  const path = `/admin/v1/accounts/${account.id}`;
  await asOperator(`${path}/topups`, { amount_usd: 1, reason: 'test' });
  // This engine cannot read pages.
  const { key } = await asOperator(`${path}/keys`, { name: 'k', providers: ['engine_d'] });
  await withAgent(overHttp({ url: gateway().url, key }), async (agent) => {
    const { isError, structuredContent } = await ask(agent, {});
    expect(isError).toBeUndefined();
    const { pages, others, note } = structuredContent as Read;
    expect([pages, others.length > 0, note]).toEqual([[], true, expect.stringMatching(/\w{5}/)]);
  });
});

async function transcribed(agent: Client): Promise<string> {
  const input = { audio_url: 'https://recordings.example/interview.wav' };
  const { structuredContent } = await agent.callTool({ name: 'transcribe', arguments: input });
  return (structuredContent as { id: string }).id;
}

describe('jobs and transcripts', () => {
  test('are listed, and read by their templates', async () => {
    await withAgent(overHttp(gateway()), async (agent) => {
      const id = await transcribed(agent);
      const { resourceTemplates } = await agent.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'trivium://jobs/{id}',
        'trivium://transcripts/{id}',
      ]);
      const { resources } = await agent.listResources();
      const uris = resources.map(({ uri }) => uri);
      for (const uri of [`trivium://jobs/${id}`, `trivium://transcripts/${id}`]) {
        expect(uris).toContain(uri);
        const { contents } = await agent.readResource({ uri });
        expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/\w{5}/) }]);
      }
      // A model that reads it must know where the foreign words begin and end.
      const [transcript] = (await agent.readResource({ uri: `trivium://transcripts/${id}` }))
        .contents;
      expect(transcript).toMatchObject({
        text: expect.stringMatching(/^<untrusted-(\w{16}) note="[^"]+">\n[^]+\n<\/untrusted-\1>$/),
      });
    });
  });

  test.each(['job_0', '__proto__', '%00', 'job_00000000-0000-7000-8000-000000000000', '..%2F..'])(
    'that do not exist are not found: %s',
    async (id) => {
      await withAgent(overHttp(gateway()), async (agent) => {
        for (const kind of ['jobs', 'transcripts']) {
          const read = agent.readResource({ uri: `trivium://${kind}/${id}` });
          expect(await read.then(() => 'read', String)).not.toBe('read');
        }
      });
    },
  );

  test('of another account are neither listed nor read', async () => {
    const account = await asOperator('/admin/v1/accounts', { name: 'another' });
    const { key } = await asOperator(`/admin/v1/accounts/${account.id}/keys`, { name: 'k' });
    const id = await withAgent(overHttp(gateway()), transcribed);
    await withAgent(overHttp({ url: gateway().url, key }), async (other) => {
      const { resources } = await other.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['trivium://providers']);
      const read = other.readResource({ uri: `trivium://transcripts/${id}` });
      expect(await read.then(() => 'read', String)).toContain('no job');
    });
    const list = await gateway().get('/v1/jobs', { authorization: `Bearer ${key}` });
    expect(list.body).toEqual({ jobs: [], next_cursor: null, searched_until: null });
    const named = await gateway().get('/v1/jobs?account_id=acc_x');
    expect([named.status, named.text]).toEqual([400, expect.stringContaining('account_id')]);
  });
});
