// A vendor's warnings in every shape they come in, and in shapes that mean nothing.
import { expect, test } from 'bun:test';
import { vendorWarnings } from './vendor-warnings.ts';

const places = {
  at: [['warnings'], ['data', 'warning']],
  params: { max_results: 'max_results', startPublishedDate: 'published_after' },
  except: /^Target URL/,
};
const read = (body: unknown, about?: string) => vendorWarnings('engine_b', body, places, about);

test('one that names a parameter is about that parameter, any other about the results', () => {
  const warnings = [
    { type: 'input_validation_warning', message: 'max_results reduced to 20', detail: null },
    { code: 'RESTRICTIONS_RELAXED', message: 'Filters were widened.' },
    'Slow today.',
    { field: 'startPublishedDate', message: 'It had no effect.' },
    { param: 'startPublishedDate' },
  ];
  const about = { code: 'param_approximated', param: 'published_after' } as const;
  expect(read({ warnings })).toEqual([
    {
      code: 'param_approximated',
      param: 'max_results',
      message: 'engine_b: max_results reduced to 20',
    },
    {
      code: 'results_post_filtered',
      message: 'engine_b: RESTRICTIONS_RELAXED: Filters were widened.',
    },
    { code: 'results_post_filtered', message: 'engine_b: Slow today.' },
    { ...about, message: 'engine_b: startPublishedDate: It had no effect.' },
    {
      ...about,
      message: 'engine_b: the provider says that startPublishedDate had no effect.',
    },
  ]);
});

test('each line gives one warning, with the page it is about', () => {
  const warning = 'Target URL returned error 404\nA cached page.\n\n  A cached page.';
  expect(read({ data: { warning } }, 'https://a.example/')).toEqual([
    { code: 'results_post_filtered', message: 'engine_b: https://a.example/: A cached page.' },
  ]);
});

const meaningless = [
  undefined,
  null,
  'text',
  7,
  [],
  {},
  { warnings: null },
  { warnings: '' },
  { warnings: 7 },
  { warnings: [null, 7, [], {}, { message: 7 }, '', ['nested']] },
  { warnings: { length: 3 } },
  { data: [] },
  { data: 'text' },
];
test.each(meaningless.map((body) => ({ body })))('%j warns of nothing', ({ body }) => {
  expect(read(body)).toEqual([]);
});

test('words that every object knows name no parameter', () => {
  expect(read({ warnings: 'constructor __proto__ toString' })[0]?.code).toBe(
    'results_post_filtered',
  );
});

test('a flood of them is cut', () => {
  const warnings = Array.from(
    { length: 100_000 },
    (_, at) => `${at} ${at < 50 ? 'x'.repeat(10_000) : ''}`,
  );
  const cut = read({ warnings });
  expect(cut).toHaveLength(20);
  expect(Math.max(...cut.map(({ message }) => message.length))).toBeLessThan(600);
  expect(read({ data: { warning: 'x\n'.repeat(1_000_000) } })).toHaveLength(1);
});
