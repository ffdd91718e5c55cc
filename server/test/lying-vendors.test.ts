// A vendor that returns pages outside a filter, for every engine and every filter: the gateway
// removes them and says so. A page that a vendor lists twice stays, unless it is in the second call.
import { expect, test } from 'bun:test';
import { type SearchEngineId, searchEngineIds } from '@trivium/contract';
import { playSearch } from './play.ts';
import { type Body, plansOf } from './request-matrix.ts';
import { answerOf, type Page } from './vendor-answers.ts';

const now = '2026-11-15T12:00:00.000Z';

/** Two pages inside the filter, the second without a date, and one outside. */
const filters: readonly { asks: Body; inside: Page; outside: Page }[] = [
  {
    asks: { include_domains: ['a.example'] },
    inside: ['https://www.a.example/1'],
    outside: ['https://a.example.b.example/'],
  },
  {
    asks: { exclude_domains: ['a.example'] },
    inside: ['https://b.example/a.example'],
    outside: ['https://sub.a.example/'],
  },
  {
    asks: { published_after: '2026-03-10' },
    inside: ['https://b.example/1', '2026-03-10'],
    outside: ['https://b.example/2', '2026-03-09'],
  },
  {
    asks: { published_before: '2026-03-10' },
    inside: ['https://b.example/1', '2026-03-10'],
    outside: ['https://b.example/2', '2026-03-11'],
  },
  ...[
    { freshness: 'day', first: '2026-11-14', before: '2026-11-13' },
    { freshness: 'week', first: '2026-11-08', before: '2026-11-07' },
    // The longest month and the longest year that a vendor may count.
    { freshness: 'month', first: '2026-10-15', before: '2026-10-14' },
    { freshness: 'year', first: '2025-11-14', before: '2025-11-13' },
  ].map(({ freshness, first, before }): { asks: Body; inside: Page; outside: Page } => ({
    asks: { freshness },
    inside: ['https://b.example/1', first],
    outside: ['https://b.example/2', before],
  })),
];

for (const id of searchEngineIds) {
  test.each(filters)(`${id} is checked for $asks`, async ({ asks, inside, outside }) => {
    const body = { query: 'tides', ...asks };
    const [param = ''] = Object.keys(asks);
    const undated: Page = [`${inside[0]}/undated`];
    const serve = async (pages: readonly Page[]) => {
      const reply = { status: 200, body: answerOf(id, pages) };
      const fixture = { asked: body, now, sent: [], received: [reply], answered: {}, warned: [] };
      const { answered, warned } = await playSearch(id, fixture);
      const { results } = answered as { results: { url: string }[] };
      return { urls: results.map(({ url }) => url), warned: warned as { code: string }[] };
    };
    const known = plansOf(id).search?.(body).warnings ?? [];
    const honest = await serve([inside, undated]);
    expect(honest.urls).toEqual([inside[0], undated[0]]);
    expect(honest.warned.map(({ code }) => code)).toEqual(known.map(({ code }) => code));
    const lying = await serve([inside, outside, undated]);
    expect(lying.urls).toEqual([inside[0], undated[0]]);
    const removed = { code: 'results_post_filtered', param, message: expect.any(String) };
    expect(lying.warned).toContainEqual(removed);
  });
}

async function serve(id: SearchEngineId, asked: object, calls: readonly string[]) {
  const received = calls.map((names) => {
    const pages = [...names].map((name) => [`https://${name}.example/`] as [string]);
    return { status: 200, body: answerOf(id, pages) };
  });
  const now = '2026-11-15T12:00:00.000Z';
  const fixture = { asked: { query: 'x', ...asked }, now, sent: [], received };
  const { sent, answered } = await playSearch(id, { ...fixture, answered: {}, warned: [] });
  expect(sent).toHaveLength(calls.length);
  const { results } = answered as { results: { url: string }[] };
  return results.map(({ url }) => url.charAt('https://'.length)).join('');
}

test.each(searchEngineIds)('%s: a page that one call lists twice is served twice', async (id) => {
  expect(await serve(id, {}, ['aabca'])).toBe('aabca');
});

test.each([
  ['engine_d', { offset: 1, max_results: 5 }],
  ['engine_e', { offset: 1, max_results: 5 }],
] as const)('%s: so it is if the call begins before the offset', async (id, asked) => {
  expect(await serve(id, asked, ['abcbb'])).toBe('bcbb');
});

test.each([
  ['engine_d', { offset: 10, max_results: 20 }, 'cdcdabcdababcabc', 'abcabceedee'],
  ['engine_e', { max_results: 20 }, 'cdcdabcdab', 'cdcdabcdabeeee'],
] as const)('%s: a page of an earlier call is removed', async (id, asked, first, served) => {
  expect(await serve(id, asked, [first, 'aeedee'])).toBe(served);
});
