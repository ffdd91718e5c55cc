// What an evaluation concludes from answers, and what it writes: figures calculated by hand,
// sentences that the intervals support, and pages that cannot do anything in a report.
import { describe, expect, test } from 'bun:test';
import type { SearchEngineId } from '@trivium/contract';
import type { EngineAnswer } from './answers.ts';
import { bootstrap, quantile } from './bootstrap.ts';
import { concludeFrom } from './conclusions.ts';
import { answersCsv, enginesCsv } from './csv-report.ts';
import { writeHtml } from './html-report.ts';
import type { EvaluatedQuery } from './input.ts';
import { measureEngines } from './measure.ts';

const queriesOf = (count: number): EvaluatedQuery[] =>
  Array.from({ length: count }, (_, at) => ({ id: `q${at}`, text: `query ${at}`, parameters: {} }));

function answer(
  query: string,
  engine: SearchEngineId,
  pages: string,
  changes: Partial<EngineAnswer> = {},
): EngineAnswer {
  const listed = pages.split(' ').filter(Boolean);
  return {
    ...{ query, engine, outcome: 'served', cost_usd: 0.005, latency_ms: 100 },
    pages: listed.map((name) => ({
      ...{ id: `res_${name}`, url: `https://example.org/${name}`, title: name, date: '2026-01-01' },
    })),
    ...changes,
  };
}

const head = { title: 'queries.jsonl', date: '2026-11-18', notes: [] };

describe('with judgements', () => {
  const queries = queriesOf(40);
  const judgements = new Map(queries.map(({ id }) => [id, new Map([['example.org/good', 1]])]));
  const answers = queries.flatMap(({ id }, at) => [
    answer(id, 'engine_a', at % 10 === 0 ? 'x good' : 'good x', { cost_usd: 0.01 }),
    answer(id, 'engine_c', at % 8 === 0 ? 'x good' : 'good x', { cost_usd: 0.002 }),
    answer(id, 'engine_d', at % 5 === 0 ? '' : 'x y z'),
  ]);
  const report = measureEngines(queries, ['engine_a', 'engine_c', 'engine_d'], answers, judgements);

  test('the figures are those of the judgements, each with its interval', () => {
    const [exa, , brave] = report.engines;
    expect(exa?.figures.ndcg?.value).toBeCloseTo((36 + 4 / Math.log2(3)) / 40, 9);
    expect(exa?.figures.mrr?.value).toBeCloseTo((36 + 4 / 2) / 40, 9);
    expect(exa?.figures.recall).toEqual({ value: 1, lower: 1, upper: 1 });
    expect(brave?.figures.ndcg?.value).toBe(0);
    expect(brave?.figures.empty?.value).toBeCloseTo(0.2, 9);
    expect(exa?.searchesPerUsd).toBeCloseTo(100, 9);
    expect(exa?.usefulPerUsd).toBeCloseTo(100, 9);
    for (const { figures } of report.engines) {
      for (const found of Object.values(figures)) {
        if (found === undefined) continue;
        expect(found.lower).toBeLessThanOrEqual(found.value);
        expect(found.upper).toBeGreaterThanOrEqual(found.value);
      }
    }
  });

  test('overlapping engines are not distinguishable, and their prices are compared', () => {
    const sentences = concludeFrom(report);
    expect(sentences[0]).toStartWith('Exa (engine_a) has the highest nDCG@10: 0.9');
    expect(sentences[1]).toStartWith('Tavily (engine_c) is not distinguishable from it');
    expect(sentences[2]).toStartWith('Brave (engine_d) is behind: 0.000');
    expect(sentences).toContainEqual(
      'Tavily (engine_c) is the cheapest of those that are not distinguishable: the same money buys 5.0 times as many searches as with Exa (engine_a).',
    );
    expect(sentences).toContainEqual(
      expect.stringContaining('Brave (engine_d) found nothing for 20.0 % of the queries'),
    );
  });

  test('each page says whether it is relevant, and how many others found it', () => {
    const marks = report.queries[1]?.answers[0]?.marks;
    expect(marks).toEqual([
      { isRelevant: true, others: 1 },
      { isRelevant: false, others: 2 },
    ]);
    const html = writeHtml(report, head);
    expect(html).toContain('<strong>relevant</strong>, example.org, 2026-01-01, 1 other<');
  });

  test('a page may be judged by the id of its result', () => {
    const byId = new Map(queries.map(({ id }) => [id, new Map([['res_good', 1]])]));
    const again = measureEngines(queries, ['engine_a'], answers, byId);
    expect(again.engines[0]?.figures.ndcg).toEqual(report.engines[0]?.figures.ndcg);
  });

  test('CSV has a line for each engine and one for each answer', () => {
    expect(enginesCsv(report).trim().split('\r\n')).toHaveLength(4);
    const lines = answersCsv(report).trim().split('\r\n');
    expect(lines).toHaveLength(121);
    expect(lines[1]).toStartWith('q0,query 0,engine_a,served,2,0.63093,1,0.5,');
  });
});

describe('without judgements', () => {
  const queries = queriesOf(30);

  test('agreement decides, and needs three engines', () => {
    const answers = queries.flatMap(({ id }, at) => [
      answer(id, 'engine_a', `p${at} q${at} r`),
      answer(id, 'engine_b', `q${at} p${at} s`),
      answer(id, 'engine_c', `x${at} y${at} z`, { outcome: at === 0 ? 'failed' : 'served' }),
      answer(id, 'engine_d', `p${at} u${at} v`),
    ]);
    const report = measureEngines(
      queries,
      ['engine_a', 'engine_b', 'engine_c', 'engine_d'],
      answers,
      undefined,
    );
    const [exa, , tavily] = report.engines;
    expect(exa?.figures.agreement?.value).toBeGreaterThan(0.2);
    expect(tavily?.figures.agreement?.value).toBe(0);
    expect(tavily?.figures.unique?.value).toBe(1);
    expect(tavily?.figures.failed?.value).toBeCloseTo(1 / 30, 9);
    expect(concludeFrom(report)).toContainEqual(
      expect.stringContaining('Tavily (engine_c) is behind'),
    );
    const two = measureEngines(queries, ['engine_a', 'engine_b'], answers, undefined);
    expect(concludeFrom(two)[0]).toStartWith('Agreement needs at least 3 engines');
  });

  test('engines that share their pages are one opinion, and the report says so', () => {
    const answers = queries.flatMap(({ id }, at) =>
      (['engine_a', 'engine_b', 'engine_c', 'engine_d'] as const).map((engine) =>
        answer(id, engine, engine < 'engine_c' ? `p${at} q${at}` : `${engine}${at} w${at}`),
      ),
    );
    const report = measureEngines(
      queries,
      ['engine_a', 'engine_b', 'engine_c', 'engine_d'],
      answers,
      undefined,
    );
    expect(report.sharing).toEqual([['engine_a', 'engine_b']]);
    expect(report.engines[0]?.figures.agreement?.value).toBe(0);
    expect(concludeFrom(report)).toContainEqual(expect.stringContaining('count as one opinion'));
  });

  test('queries that were not sent to an engine, or whose answer was lost, are left out', () => {
    const answers = [
      ...(['engine_a', 'engine_b', 'engine_c'] as const).map((engine) => answer('q0', engine, 'p')),
      answer('q1', 'engine_a', 'p'),
      ...(['engine_a', 'engine_b', 'engine_c'] as const).map((engine) =>
        answer('q2', engine, 'p', { outcome: engine === 'engine_a' ? 'lost' : 'served' }),
      ),
    ];
    const report = measureEngines(
      queries,
      ['engine_a', 'engine_b', 'engine_c'],
      answers,
      undefined,
    );
    expect(report.queries.map(({ query }) => query.id)).toEqual(['q0']);
    expect(concludeFrom(measureEngines(queries, ['engine_a'], [], undefined)).at(-1)).toContain(
      'No query was answered',
    );
  });
});

describe('the report', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'\u202e`;
  const queries = [{ id: hostile, text: hostile, parameters: {} }];
  const engines = ['engine_a', 'engine_b', 'engine_c'] as const;
  const answers = engines.map((engine, at) =>
    answer(hostile, engine, 'p q', {
      pages: [
        'javascript:alert(3)',
        `https://example.org/${hostile}`,
        'JaVaScRiPt:alert(4)',
        'data:text/html,x',
      ].map((url) => ({ id: `res_${url}`, url, title: hostile, date: hostile })),
      ...(at === 0 ? { outcome: 'failed' as const, error: hostile } : {}),
    }),
  );
  const report = measureEngines(queries, engines, answers, undefined);
  const html = writeHtml(report, { ...head, title: hostile, notes: [hostile] });

  test('has no element, attribute or address that a page brought', () => {
    expect(html).not.toMatch(/<script|<img|onerror=alert\(2\)>(?!&)|\u202e/);
    expect(html).not.toMatch(/href="(?!https?:)/i);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<a /g)?.length).toBe(2);
  });

  test('loads nothing and has charts', () => {
    expect(html).not.toMatch(/<(?:link|script|img|iframe|object|base)\b|@import|url\(/i);
    expect(html).toContain('<svg');
    expect(html).toContain('Side by side');
  });

  test('CSV cannot run as a formula', () => {
    const one = { ...queries[0], id: '=cmd()', text: '+1', parameters: {} };
    const csv = answersCsv(
      measureEngines([one], ['engine_a'], [answer('=cmd()', 'engine_a', '')], undefined),
    );
    expect(csv.split('\r\n')[1]).toStartWith("'=cmd(),'+1,");
  });
});

describe('an interval', () => {
  test('is the same for the same figures, contains the value, and is narrower with more figures', () => {
    const values = Array.from({ length: 50 }, (_, at) => (at % 7) / 7);
    const few = bootstrap(values);
    expect(bootstrap(values)).toEqual(few);
    const many = bootstrap([...values, ...values, ...values, ...values]);
    const widthOf = (one: typeof few) => (one?.upper ?? 0) - (one?.lower ?? 0);
    expect(widthOf(many)).toBeLessThan(widthOf(few));
    expect(bootstrap([])).toBeUndefined();
    expect(bootstrap([1, 2, 3, 4], quantile(0.5))?.value).toBe(2);
  });
});
