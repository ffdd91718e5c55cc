// trivium evaluate with a real gateway: killed half-way and started again, it pays for each query
// once, by the ledger.
import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere, start, trivium } from '../../cli/src/run-cli.ts';
import { sharedGateway } from '../harness.ts';
import { waitFor } from '../wait-for.ts';

const adminToken = 'operator-token-of-the-evaluation-tests';
const asOperator = { authorization: `Bearer ${adminToken}` };
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });
const folder = mkdtempSync(join(tmpdir(), 'trivium-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const topics = ['solar', 'wind', 'tides', 'batteries', 'heat pumps', 'grids'];
const file = join(folder, 'queries.jsonl');
writeFileSync(file, topics.map((query) => JSON.stringify({ id: query, query })).join('\n'));

interface Logged {
  asked: string;
  provider: string;
  cost_usd: number | null;
  replay_of: string | null;
}

/** Forwards calls, and withholds the answers of one engine until the caller is gone. */
function startProxy(to: string, engine: string) {
  let isOpen = false;
  let kept = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const headers = Object.fromEntries(
        [...request.headers].filter(
          ([name]) => !/^(?:host|content-length|accept-encoding)$/.test(name),
        ),
      );
      const answer = await fetch(to + pathname, { method: request.method, headers, body });
      const text = await answer.text();
      if (!isOpen && pathname === '/v1/search' && body.includes(`"${engine}"`)) {
        kept += 1;
        await promise;
      }
      return new Response(text, answer);
    },
  });
  return {
    url: server.url.origin,
    kept: () => kept,
    open: () => {
      isOpen = true;
      resolve();
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test('an evaluation that was killed continues, and each query is paid once', async () => {
  await using proxy = startProxy(gateway().url, 'engine_d');
  const output = join(folder, 'report');
  const args = ['evaluate', file, '--engines', 'exa,tavily,brave', '--output', output, '--yes'];
  const env = { TRIVIUM_API_KEY: gateway().key };
  const child = start(trivium(args), proxy, env);
  const answered = () =>
    existsSync(`${output}.answers.jsonl`)
      ? readFileSync(`${output}.answers.jsonl`, 'utf8').split('{"answer"').length - 1
      : 0;
  // Four queries are in progress at once. The answers of Brave are paid for but have not arrived.
  await waitFor(() => [answered(), proxy.kept()].join(), {
    ...{ what: 'two of three engines answered', until: (counts) => counts === '8,4' },
  });
  child.kill('SIGKILL');
  await child.exited;
  proxy.open();

  const { code, out, err } = await runHere(args, proxy, env);
  expect([code, err]).toEqual([0, expect.stringContaining('An earlier run spent')]);
  const { queries, spent_usd, engines } = JSON.parse(out) as {
    queries: number;
    spent_usd: number;
    engines: { provider: string; answers: number }[];
  };
  expect(queries).toBe(topics.length);
  expect(engines.map(({ answers }) => answers)).toEqual([6, 6, 6]);

  const { body } = await gateway().get('/admin/v1/requests?limit=200', asOperator);
  const { requests } = body as { requests: Logged[] };
  const paid = requests.filter(({ cost_usd, replay_of }) => (cost_usd ?? 0) > 0 && !replay_of);
  const pairs = paid.map(({ asked, provider }) => `${asked} ${provider}`);
  expect(pairs).toHaveLength(topics.length * 3);
  expect(new Set(pairs).size).toBe(topics.length * 3);
  expect(paid.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)).toBeCloseTo(spent_usd, 9);

  const html = readFileSync(`${output}.html`, 'utf8');
  for (const topic of topics) expect(html).toContain(topic);
  expect(readFileSync(`${output}.csv`, 'utf8')).toContain('engine_c,Tavily,6,');
});

test('an engine that the policy of the account excludes is not called', async () => {
  const careful = { name: 'Careful', providers: ['engine_a'] };
  const account = await gateway().post('/admin/v1/accounts', careful, asOperator);
  const { id } = account.body as { id: string };
  const made = await gateway().post(`/admin/v1/accounts/${id}/keys`, { name: 'key' }, asOperator);
  const { key } = made.body as { key: string };
  const output = join(folder, 'careful');
  const args = ['evaluate', file, '--engines', 'exa,tavily', '--output', output, '--yes'];
  const { code, err } = await runHere(args, gateway(), { TRIVIUM_API_KEY: key });
  expect([code, err]).toEqual([1, expect.stringContaining('not allowed to use Tavily')]);
  const log = await gateway().get(`/admin/v1/requests?account_id=${id}`, asOperator);
  const { requests } = log.body as { requests: { cost_usd: number | null }[] };
  expect(requests.filter(({ cost_usd }) => (cost_usd ?? 0) > 0)).toEqual([]);
});
