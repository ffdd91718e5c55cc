// trivium export: the same requests in JSON lines and in Parquet, as DuckDB reads them; and no
// half-written files.
import { afterAll, describe, expect, test } from 'bun:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RequestLine } from '@trivium/contract';
import { startStubGateway } from '@trivium/sdk/stub-gateway';
import { runHere } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-export-'));
afterAll(() => rmSync(folder, { recursive: true }));
const operator = { TRIVIUM_ADMIN_TOKEN: 'op_test' };

const line = (at: number): RequestLine => ({
  id: `req_${at}`,
  answer_id: at % 2 === 0 ? `srch_${at}` : null,
  account_id: 'acct_1',
  key_id: 'key_1',
  tool: 'search',
  provider: at % 3 === 0 ? null : 'engine_a',
  routing: at % 4 === 0 ? null : 'quality; engine_a: the cheapest',
  asked: at % 5 === 0 ? null : `„Grüße“ \u0000\u202e\n"quoted", 東京 🌞 ${at}`,
  parameters: at % 7 === 0 ? null : { max_results: at, nested: { list: [1, 'two', null] } },
  asked_until: at % 5 === 0 ? null : '2026-12-18T00:00:00.123Z',
  tags: at % 2 === 0 ? {} : { team: 'search' },
  outcome: 'served',
  status: 200,
  error_type: null,
  error_message: null,
  warnings: 0,
  warning_details: [],
  attempts: [
    {
      provider: 'engine_a',
      outcome: 'answered',
      started_ms: null,
      queued_ms: null,
      latency_ms: 5,
      status: 200,
      message: null,
    },
  ],
  delivered: 10,
  replay_of: null,
  simulated: false,
  from_cache: at % 2 === 0,
  held_usd: null,
  cost_usd: 0.005,
  cost_basis: 'list',
  cost_parts: [],
  reported_cost_usd: null,
  latency_ms: at,
  created_at: new Date(1_790_000_000_000 - at).toISOString(),
  notes: [],
});

/** Returns its lines in pages, like the gateway. */
function gatewayWith(count: number, failsAt = Number.POSITIVE_INFINITY) {
  const page = ({ path }: { path: string }) => {
    const query = new URL(path, 'http://gateway').searchParams;
    const from = Number(query.get('cursor') ?? 0);
    if (from >= failsAt)
      return Response.json({ error: { type: 'internal_error' } }, { status: 400 });
    const until = Math.min(count, from + Number(query.get('limit')));
    const requests = Array.from({ length: until - from }, (_, at) => line(from + at));
    const next = until < count ? String(until) : null;
    return Response.json({ requests, next_cursor: next, searched_until: null });
  };
  return startStubGateway([page]);
}

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    duck.closeSync();
  }
}

describe('an export', () => {
  test('has every request once, in both formats alike', async () => {
    await using gateway = gatewayWith(1201);
    const [json, parquet] = [join(folder, 'all.jsonl'), join(folder, 'all.parquet')];
    const first = await runHere(['export', json, '--from', '2026-09-01'], gateway, operator);
    expect(first).toMatchObject({ code: 0, err: `Wrote 1201 requests to ${json}.\n` });
    expect(gateway.requests[0]?.path).toContain('from=2026-09-01');
    expect((await runHere(['export', parquet], gateway, operator)).code).toBe(0);
    const lines = readFileSync(json, 'utf8').trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text) as RequestLine)).toEqual(
      Array.from({ length: 1201 }, (_, at) => line(at)),
    );
    expect(statSync(parquet).mode & 0o077).toBe(0);
    const sums = `count(*)::int as rows, count(distinct id)::int as ids, sum(latency_ms)::int as ms,
      count(provider)::int as providers, round(sum(cost_usd), 6) as usd,
      epoch_ms(min(created_at))::bigint as oldest`;
    const [fromParquet] = await ask(`select ${sums} from '${parquet}'`);
    const [fromJson] = await ask(`select ${sums} from read_json('${json}')`);
    expect(fromParquet).toEqual({
      rows: 1201,
      ids: 1201,
      ms: 720_600,
      providers: 800,
      usd: 6.005,
      oldest: String(1_790_000_000_000 - 1200),
    });
    expect(fromJson).toEqual(fromParquet ?? {});
    const [one] = await ask(
      `select asked, parameters->'nested'->'list'->>1 as two, tags->>'team' as team,
         attempts->0->>'outcome' as attempt, held_usd, from_cache, answer_id
       from '${parquet}' where id = 'req_1'`,
    );
    expect(one).toEqual({
      asked: line(1).asked,
      two: 'two',
      team: 'search',
      attempt: 'answered',
      held_usd: null,
      from_cache: false,
      answer_id: null,
    });
  });

  test('of nothing is an empty file that can be read', async () => {
    await using gateway = gatewayWith(0);
    const file = join(folder, 'none.parquet');
    expect((await runHere(['export', file], gateway, operator)).code).toBe(0);
    expect(await ask(`select count(*)::int as rows, sum(cost_usd) as usd from '${file}'`)).toEqual([
      { rows: 0, usd: null },
    ]);
  });

  test('goes to standard output without a file, one line per request', async () => {
    await using gateway = gatewayWith(3);
    const { code, out } = await runHere(['export', '--jsonl'], gateway, operator);
    expect(code).toBe(0);
    const read = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as RequestLine);
    expect(read).toEqual([line(0), line(1), line(2)]);
  });

  test.each(['half.jsonl', 'half.parquet'])('that fails leaves no file: %s', async (name) => {
    await using gateway = gatewayWith(1201, 500);
    const file = join(folder, name);
    expect((await runHere(['export', file], gateway, operator)).code).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file)))).toEqual([]);
  });

  test.each([
    [['--parquet'], 'Parquet is written into a file'],
    [['--parquet', '--jsonl', 'x'], 'Give one of --jsonl and --parquet'],
    [['one', 'two'], 'Give one file'],
    [['/no-such-folder/x.jsonl'], 'no such file or directory'],
  ])('%j is refused', async (args, words) => {
    await using gateway = gatewayWith(1);
    const { code, err } = await runHere(['export', ...args], gateway, operator);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
    // A request that was sent would arrive before this one, and its failure would be unhandled.
    await fetch(`${gateway.url}/last`);
    expect(gateway.requests.map(({ path }) => path)).toEqual(['/last']);
  });
});
