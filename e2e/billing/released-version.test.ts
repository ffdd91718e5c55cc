// An upgrade from the last released version on PostgreSQL: while both versions run, a key that one
// of them has answered is replayed by the other, and each request is charged once.
import { SQL } from 'bun';
import { expect } from 'bun:test';
import { NewKey } from '@trivium/contract';
import { auditStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { startGateway, startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { testWhere } from '../leave-out.ts';
import { makeReleasedVersion, missingHistory } from '../released-version.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { exaAnswer, startUpstream, upstreamKey } from '../upstream.ts';
import { waitFor } from '../wait-for.ts';

const token = 'operator-token-of-both-versions-0815';
const page = 'https://good.example/page';

interface Asked {
  path: string;
  key: string;
  /** Sent as it is, although versions since 0.2.0 compare values. */
  text: string;
}

interface Answered {
  status: number;
  replayed: string | null;
  text: string;
}

async function post(
  gateway: Gateway,
  { path, key, text }: Asked,
  apiKey = gateway.key,
): Promise<Answered> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: text,
  });
  const { status, headers } = response;
  return { status, replayed: headers.get('idempotent-replayed'), text: await response.text() };
}

/** One request of each kind; the spelling is not canonical. */
function requestsOf(name: string): Asked[] {
  const search = `{ "query": "${name}",  "provider":"engine_a" }`;
  return [
    { path: '/v1/search', key: `${name}-search`, text: search },
    { path: '/v1/search', key: `${name}-again`, text: `{"provider":"engine_a","query":"tides"}` },
    { path: '/v1/extract', key: `${name}-pages`, text: `{"urls":["https://good.example/page"]}` },
    { path: '/v1/transcriptions', key: `${name}-job`, text: `{ "audio_url": "${interview}" }` },
    { path: '/compat/exa/search', key: `${name}-exa`, text: `{"query":"x", "numResults": 3}` },
  ];
}

async function expectReplays(from: Gateway, to: Gateway, name: string): Promise<void> {
  for (const asked of requestsOf(name)) {
    const first = await post(from, asked);
    expect([asked.key, first.status, first.replayed]).toEqual([
      asked.key,
      asked.key.endsWith('job') ? 202 : 200,
      null,
    ]);
    const again = await post(to, asked);
    expect([asked.key, again]).toEqual([asked.key, { ...first, replayed: 'true' }]);
  }
}

async function retried(gateway: Gateway, asked: Asked): Promise<Answered> {
  return waitFor(() => post(gateway, asked), {
    what: `${asked.key} is answered`,
    until: ({ status }) => status !== 409,
  });
}

testWhere(await missingHistory())(
  'both versions replay the keys of the other, and each request is charged once',
  async () => {
    await using released = await makeReleasedVersion();
    await using database = await createDatabase('empty');
    await using sandbox = await startTestSandbox();
    let slowMs = 0;
    await using vendor = startUpstream(async ({ path }) => {
      await Bun.sleep(slowMs);
      const hit = { id: page, url: page, title: 'P', text: 'tides' };
      if (path !== '/contents') return exaAnswer([hit]);
      const costDollars = { total: 0.001 };
      return Response.json({
        results: [hit],
        statuses: [{ id: page, status: 'success' }],
        costDollars,
      });
    });
    const env = {
      TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'u'.repeat(43)}`,
      TRIVIUM_SECRET: 'one secret for both versions, long enough',
      TRIVIUM_ADMIN_TOKEN: token,
      EXA_API_KEY: upstreamKey,
      EXA_BASE_URL: vendor.url,
    };
    const options = { sandbox: sandbox.url, database_url: database.url, env };
    await using older = await startGatewayProcess({ ...options, program: released.program });
    const [before] = requestsOf('before');
    if (!before) throw new Error('There is no request.');
    const first = await post(older, before);
    expect(first.status).toBe(200);

    await using newer = await startGateway(options);
    expect(await post(newer, before)).toEqual({ ...first, replayed: 'true' });
    const changed = { ...before, text: before.text.replace('before', 'after') };
    expect((await post(newer, changed)).status).toBe(409);
    await expectReplays(older, newer, 'old');
    await expectReplays(newer, older, 'new');

    const calls = vendor.received.length;
    slowMs = 100;
    const keys = Array.from({ length: 5 }, (_, at) => ({ ...before, key: `both-${at}` }));
    await Promise.all(keys.flatMap((asked) => [post(older, asked), post(newer, asked)]));
    const pairs = await Promise.all(
      keys.map((asked) => Promise.all([retried(older, asked), retried(newer, asked)])),
    );
    for (const [one, other] of pairs) {
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(one.text).toBe(other.text);
    }
    expect(vendor.received.length - calls).toBe(5);

    // A key belongs to the API key that sent it, also a key of the version before.
    const made = await newer.ask(
      'POST',
      '/admin/v1/accounts/acct_default/keys',
      { name: 'second' },
      { authorization: `Bearer ${token}` },
    );
    const second = NewKey.parse(made.body).key;
    expect((await post(newer, before, second)).replayed).toBeNull();
    expect((await post(newer, before, second)).replayed).toBe('true');
    expect((await post(newer, before)).text).toBe(first.text);

    await using sql = new SQL(database.url, { max: 1 });
    const [paid] = (await sql`select count(*) as n, count(distinct id) as ids from transfers
      where kind = 'settle' and id like 'req_%'`) as { n: unknown; ids: unknown }[];
    // Twice four requests other than jobs, one before, five to both versions, one of another key.
    expect([Number(paid?.n), Number(paid?.ids)]).toEqual([15, 15]);
    await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: env.TRIVIUM_SECRET });
  },
);
