// trivium evaluate against a stub: what it says before it spends money, when it stops, and that
// invalid input costs nothing.
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envelope, startStubGateway } from '@trivium/sdk/stub-gateway';
import type { RecordedRequest } from '@trivium/sdk/stub-gateway';
import { runHere } from '../run-cli.ts';
import type { Terminal } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let outputs = 0;

const queries = (count: number) => {
  const file = join(folder, `queries${count}.jsonl`);
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `q${at}`, query: `about ${at}` }),
  );
  writeFileSync(file, lines.join('\n'));
  return file;
};

interface Prices {
  price?: number;
  balance?: number;
  search?: (request: RecordedRequest, count: number) => Response;
}

/** A gateway whose engines all return the same two pages. */
function gatewayWith({ price = 0.01, balance = 100, search }: Prices = {}) {
  let count = 0;
  const answer = (request: RecordedRequest) => {
    const { provider } = request.body as { provider: string };
    if (request.path === '/v1/estimates/search') {
      return Response.json({
        provider,
        max_cost_usd: price,
        held_usd: price,
        balance_usd: balance,
      });
    }
    count += 1;
    const other = search?.(request, count);
    if (other) return other;
    const results = ['x', 'y'].map((name) => ({
      ...{ id: `res_${name}`, url: `https://example.org/${name}`, title: name, snippets: [] },
    }));
    const usage = { cost_usd: price / 2, credits: 1 };
    return Response.json({ id: 'srch_1', provider, results, warnings: [], usage, latency_ms: 5 });
  };
  return startStubGateway([answer]);
}

const evaluateArgs = (file: string, ...rest: string[]) => [
  ...['evaluate', file, '--engines', 'exa,Tavily,engine_d'],
  ...['--output', join(folder, `report${(outputs += 1)}`)],
  ...rest,
];

const searchesOf = ({ requests }: { requests: readonly RecordedRequest[] }) =>
  requests.filter(({ path }) => path === '/v1/search');

async function run(args: readonly string[], prices: Prices = {}, terminal: Partial<Terminal> = {}) {
  await using gateway = gatewayWith(prices);
  const done = await runHere(args, gateway, {}, terminal);
  return { ...done, requests: gateway.requests, searches: searchesOf(gateway) };
}

describe('before it spends', () => {
  test('it shows the maximum cost and the balance, and asks', async () => {
    const asked: string[] = [];
    const ask = (question: string) => Promise.resolve(asked.push(question) > 0 ? 'no' : '');
    const terminal = { ask, inIsTerminal: true };
    const { code, err, searches } = await run(evaluateArgs(queries(4)), {}, terminal);
    expect(err).toContain(
      '4 queries to Exa (engine_a), Tavily (engine_c), Brave (engine_d): at most 0.12 USD.',
    );
    expect(err).toContain('The balance is 100.00 USD');
    expect([code, asked.length, searches.length]).toEqual([2, 1, 0]);
    expect(existsSync(join(folder, `report${outputs}.answers.jsonl`))).toBe(false);
    const agreed = await run(
      evaluateArgs(queries(4)),
      {},
      { ...terminal, ask: () => Promise.resolve('yes') },
    );
    expect([agreed.code, agreed.searches.length]).toEqual([0, 12]);
  });

  test('a script must add --yes', async () => {
    const { code, err, searches } = await run(evaluateArgs(queries(1)));
    expect([code, searches.length]).toEqual([2, 0]);
    expect(err).toContain('Add --yes');
  });

  test('an insufficient balance is reported', async () => {
    const { code, err, searches } = await run(evaluateArgs(queries(4), '--yes'), { balance: 0.05 });
    expect([code, searches.length]).toEqual([2, 0]);
    expect(err).toContain('The balance is 0.05 USD. Give a --budget within it. No query was sent.');
    const within = await run(evaluateArgs(queries(4), '--yes', '--budget', '0.05'), {
      balance: 0.05,
    });
    expect(within.code).toBe(0);
  });

  const bad = (...args: string[]) => ['evaluate', ...args, '--yes'];
  test.each([
    [['evaluate'], 'Give one file of queries'],
    [bad('a', 'b', '--engines', 'exa'), 'Give one file of queries'],
    [bad('queries.jsonl'), 'Name the engines'],
    [bad('queries.jsonl', '--engines', 'exa,googel'), '--engines googel: Must be one of'],
    [bad('queries.jsonl', '--engines', 'exa,,tavily'), 'Must be one of'],
    [bad('queries.jsonl', '--engines', 'exa,fusion'), '--engines fusion'],
    [bad('queries.jsonl', '--engines', 'exa,engine_a'), 'names Exa (engine_a) twice'],
    [bad('queries.jsonl', '--engines', '__proto__'), 'Must be one of'],
    [bad('queries.jsonl', '--engines', 'exa', '--budget', '0'), '--budget must be an amount'],
    [bad('queries.jsonl', '--engines', 'exa', '--budget', '-1'), '--budget'],
    [bad('queries.jsonl', '--engines', 'exa', '--budget', 'Infinity'), '--budget'],
    [bad('/nonexistent/queries.jsonl', '--engines', 'exa'), 'cannot be read: ENOENT'],
    [bad('/dev/zero', '--engines', 'exa'), 'is not a file'],
  ])('%j is refused, and no query is sent', async (args, sentence) => {
    const { code, err, requests } = await run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
    expect(requests).toEqual([]);
  });

  test('a missing folder is reported', async () => {
    const args = [
      'evaluate',
      queries(1),
      '--engines',
      'exa',
      '--yes',
      '--output',
      '/nonexistent/x',
    ];
    const { code, err, requests } = await run(args);
    expect([code, err, requests.length]).toEqual([
      2,
      expect.stringContaining('is not a folder'),
      0,
    ]);
  });

  test('unusable files are refused, and no query is sent', async () => {
    const good = queries(3);
    const judgements = join(folder, 'others.tsv');
    writeFileSync(judgements, 'other\thttps://example.org/\t1\n');
    const malformed = join(folder, 'malformed.jsonl');
    writeFileSync(malformed, '{"query": "x"}\n{"query": ');
    const unknown = (field: string) => {
      const file = join(folder, `${field}.jsonl`);
      writeFileSync(file, `{"query": "x"}\n{"query": "x", "${field}": {"provider": "auto"}}`);
      return file;
    };
    const many = join(folder, 'many.jsonl');
    writeFileSync(many, '"x"\n'.repeat(5_000_000));
    for (const [args, sentence] of [
      [evaluateArgs(good, '--yes', '--judgements', judgements), 'has different ids'],
      [evaluateArgs(malformed, '--yes'), 'Line 2 of'],
      [evaluateArgs(unknown('frehsness'), '--yes'), 'frehsness.jsonl: frehsness'],
      [evaluateArgs(unknown('__proto__'), '--yes'), '__proto__.jsonl: __proto__'],
      [evaluateArgs(many, '--yes'), 'an evaluation reads at most 16'],
    ] as const) {
      const { code, err, requests } = await run(args);
      expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
      expect(requests).toEqual([]);
    }
  });

  test('an engine that does not serve this caller is reported before any query is sent', async () => {
    await using gateway = startStubGateway([
      () =>
        envelope(503, { type: 'provider_not_configured', message: 'engine_c has no credential.' }),
    ]);
    const { code, err } = await runHere(evaluateArgs(queries(2), '--yes'), gateway);
    expect([code, err]).toEqual([1, expect.stringContaining('has no credential')]);
    expect(searchesOf(gateway)).toEqual([]);
  });
});

describe('while it runs', () => {
  test('it sends a query to all engines or none, and stops within the budget', async () => {
    // Each search costs half of what it can: 0.005 of 0.01.
    const { code, out, searches } = await run(
      evaluateArgs(queries(20), '--yes', '--budget', '0.1'),
    );
    const { spent_usd, notes } = JSON.parse(out) as { spent_usd: number; notes: string[] };
    expect(code).toBe(0);
    expect(searches.length % 3).toBe(0);
    expect(spent_usd).toBeCloseTo(searches.length * 0.005, 9);
    expect(spent_usd).toBeLessThanOrEqual(0.1);
    expect(spent_usd).toBeGreaterThan(0.06);
    expect(notes).toContainEqual(
      `${20 - searches.length / 3} queries were not sent, because of the budget.`,
    );
    expect(searches.every(({ headers }) => headers.get('x-max-cost-usd') === '0.01')).toBe(true);
  });

  test('the failure of a vendor is a result, and the others are compared', async () => {
    const search = ({ body }: RecordedRequest) =>
      (body as { provider: string }).provider === 'engine_d'
        ? envelope(502, { type: 'provider_error', message: 'It is down.' })
        : undefined;
    const { code, out } = await run(evaluateArgs(queries(3), '--yes'), { search: search as never });
    const { engines } = JSON.parse(out) as { engines: { failed: { value: number } }[] };
    expect([code, engines.map(({ failed }) => failed.value)]).toEqual([0, [0, 0, 1]]);
  });

  test('an engine that stays down is asked once for each query, and does not hold up the others', async () => {
    let down = 0;
    const search = ({ body }: RecordedRequest) => {
      if ((body as { provider: string }).provider !== 'engine_d') return undefined;
      down += 1;
      // First with a longer wait than any client accepts, then with one that takes time.
      const headers = { 'retry-after': down <= 8 ? '120' : '1' };
      const detail = { provider: 'engine_d' };
      const error = { type: 'provider_not_available', message: 'Its circuit is open.', detail };
      return envelope(503, error, headers);
    };
    const { code, out } = await run(evaluateArgs(queries(30), '--yes'), {
      search: search as never,
    });
    const { engines } = JSON.parse(out) as { engines: { failed: { value: number } }[] };
    expect([code, engines.map(({ failed }) => failed.value)]).toEqual([0, [0, 0, 1]]);
    expect(down).toBe(30);
  });

  test('any other error ends it with a hint to continue, and nothing is charged twice', async () => {
    const args = evaluateArgs(queries(6), '--yes');
    const refuse = (_: RecordedRequest, count: number) =>
      count > 7 ? envelope(402, { type: 'insufficient_credits', message: 'Top up.' }) : undefined;
    const first = await run(args, { search: refuse as never });
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringContaining('Run the same command again'),
    ]);
    const file = `${args[args.indexOf('--output') + 1]}.answers.jsonl`;
    expect(existsSync(file)).toBe(true);
    expect(existsSync(file.replace('.answers.jsonl', '.html'))).toBe(false);
    // The stub has another port, so it is another gateway.
    const text = readFileSync(file, 'utf8');
    expect(text.split('"answer"').length - 1).toBe(7);
  });

  test('the same command continues on the same gateway, and then only writes the report', async () => {
    const args = evaluateArgs(queries(6), '--yes');
    const keys = new Map<string, number>();
    let refusing = true;
    await using gateway = gatewayWith({
      search: ((request: RecordedRequest, count: number) => {
        if (refusing && count > 5)
          return envelope(402, { type: 'insufficient_credits', message: 'No.' });
        const key = request.headers.get('idempotency-key') ?? '';
        keys.set(key, (keys.get(key) ?? 0) + 1);
        return undefined;
      }) as never,
    });
    expect((await runHere(args, gateway)).code).toBe(1);
    refusing = false;
    const second = await runHere(args, gateway);
    expect(second.code).toBe(0);
    expect(second.err).toContain('An earlier run spent 0.025 USD.');
    expect([keys.size, Math.max(...keys.values())]).toEqual([18, 1]);
    const asked = gateway.requests.length;
    const judgements = join(folder, 'late.tsv');
    writeFileSync(judgements, 'q0\thttps://www.example.org/x/\t1\n');
    const third = await runHere([...args, '--judgements', judgements], gateway);
    expect([third.code, gateway.requests.length]).toEqual([0, asked]);
    const { engines } = JSON.parse(third.out) as { engines: { ndcg: { value: number } }[] };
    expect(engines[0]?.ndcg.value).toBe(1);
  });
});

test('on a terminal it prints a table, its conclusions and the names of its files', async () => {
  const args = evaluateArgs(queries(3), '--yes');
  const { code, out, err } = await run(args, {}, { outIsTerminal: true, columns: 200 });
  expect(code).toBe(0);
  expect(out).toMatch(/engine +agreement +empty +p50 ms +USD/);
  expect(out).toContain('Only 3 queries could be compared');
  expect(err).toContain('Spent 0.045 USD. Wrote ');
});
