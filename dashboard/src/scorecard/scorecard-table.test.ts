// A scorecard as markup.
import { expect, test } from 'bun:test';
import type { Scorecard, ScorecardLine } from '@trivium/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ScorecardTable } from './scorecard-table.tsx';

const week = (first: string, mean: number) => ({
  ...{ week: first, mean, lower: mean - 0.1, upper: mean + 0.1, observations: 20 },
});
const line: ScorecardLine = {
  provider: 'engine_a',
  group: '',
  agreement: {
    ...{ mean: 0.45, lower: 0.41, upper: 0.49, observations: 40.4 },
    weeks: [week('2026-11-02', 0.6), week('2026-11-09', 0.3)],
    changes: [{ day: '2026-11-11', before: 0.6, after: 0.3 }],
  },
  feedback: null,
  ...{ calls: 50, failures: 1, price_usd: 0.007, latency_ms: 412 },
  ...{ useful: 0, useful_price_usd: null },
};

function draw(lines: ScorecardLine[], by: Scorecard['by'] = 'provider') {
  const scorecard = {
    ...{ account_id: null, by, first_day: '2026-11-02', last_day: '2026-11-15', lines },
  };
  const markup = renderToStaticMarkup(createElement(ScorecardTable, { scorecard }));
  const heads = [...markup.matchAll(/<th (?:[^>]*)>(.*?)<\/th>/g)].map(([, head = '']) => head);
  const cells = [...markup.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]+>/g, ''),
  );
  return { markup, heads, cells };
}

test('each engine has its figures with their intervals, and a dash for what is not known', () => {
  const { markup, cells } = draw([line]);
  expect(cells).toEqual([
    ...['Exa (engine_a)', '0.450 0.410 to 0.490', '–', '', 'Nov 11, 2026 0.600 to 0.300'],
    ...['$0.007', '–', '412 ms', '2%'],
  ]);
  expect(markup).toContain('title="40 observations"');
  expect(markup).toContain('title="1 of 50 calls"');
});

test('the weeks are a line that says its figures, with a mark at the week of a change', () => {
  const { markup } = draw([line]);
  expect(markup).toContain('aria-label="Nov 2, 2026: 0.600, Nov 9, 2026: 0.300"');
  expect(markup.match(/stroke-dasharray/g)).toHaveLength(1);
  const single = { ...line, agreement: { ...week('2026-11-09', 0.3), weeks: [], changes: [] } };
  expect(draw([single]).markup).not.toContain('<svg');
});

test('by language there is a column for it, and text is no markup', () => {
  const { heads, cells, markup } = draw([{ ...line, group: '<b>de</b>' }, line], 'language');
  expect(heads.slice(0, 3)).toEqual(['Engine', 'Language', 'Agreement']);
  expect(cells[1]).toBe('&lt;b&gt;de&lt;/b&gt;');
  expect(cells).toContain('None');
  expect(markup).not.toContain('<b>');
});

test('without observations it says where they come from', () => {
  expect(draw([]).markup).toContain('Nothing to compare yet');
});
