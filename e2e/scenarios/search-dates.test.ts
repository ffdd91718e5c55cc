// Dates: every vendor format, inclusive bounds, rolling windows, and the gateway's own filter.
import { test } from 'bun:test';
import { askSearch, warningCodes } from '../asking.ts';
import { searchEngines } from '../engines.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';
const ask = (request: object) => askSearch(pair().gateway, { query, ...request });

test('a page published on the day of a bound is included, on every engine', async () => {
  const days = await knownDays();
  for (const provider of searchEngines) {
    const { results } = await ask({ provider });
    const dated = results.filter(({ url }) => days.has(url));
    // The date of a recent page might change between two searches.
    const page = dated.find(({ url }) => !isRecent([...(days.get(url) ?? [])][0] ?? ''));
    const day = [...(days.get(page?.url ?? '') ?? [])][0];
    if (page === undefined || day === undefined) throw new Error(`${provider} has no old page.`);
    for (const bounds of [
      { published_after: day, published_before: day },
      { published_after: day },
      { published_before: day },
    ]) {
      const answer = await ask({ provider, ...bounds, max_results: 20 });
      const urls = answer.results.map(({ url }) => url);
      proves(
        ['search-engines.published-after.inclusive', 'search-engines.published-before.inclusive'],
        () => {
          expect([provider, bounds, urls]).toEqual([
            provider,
            bounds,
            expect.arrayContaining([page.url]),
          ]);
          for (const { published_date } of answer.results) {
            if (published_date === undefined) continue;
            if ('published_after' in bounds) expect(published_date >= day).toBe(true);
            if ('published_before' in bounds) expect(published_date <= day).toBe(true);
          }
        },
      );
    }
  }
});

test("the gateway's own date filter counts removed pages and keeps undated ones", async () => {
  const page = (name: string, publishedDate?: string) => ({
    url: `https://${name}.example/`,
    title: name,
    ...(publishedDate === undefined ? {} : { publishedDate }),
  });
  await using upstream = startUpstream(() =>
    exaAnswer([
      page('old', '2025-12-31T10:00:00.000Z'),
      page('first-day', '2026-01-01T00:00:00.000Z'),
      page('undated'),
      page('last-day', '2026-03-31T23:00:00.000Z'),
      page('late', '2026-04-01T00:00:00.000Z'),
      page('unclear', 'last spring'),
    ]),
  );
  await using gateway = await startGateway({ env: upstream.env });
  // The company index has no dates, so the gateway filters.
  const answer = await askSearch(gateway, {
    query,
    provider: 'engine_a',
    category: 'company',
    published_after: '2026-01-01',
    published_before: '2026-03-31',
  });
  proves('requests.post-filter.undated-kept', () =>
    expect(answer.results.map(({ title }) => title)).toEqual([
      'first-day',
      'undated',
      'last-day',
      'unclear',
    ]),
  );
  proves('warnings.results-post-filtered', () =>
    expect(warningCodes(answer)).toEqual([
      'published_after: results_post_filtered',
      'published_before: results_post_filtered',
    ]),
  );
  const [after, before] = answer.warnings.map(({ message }) => message);
  proves(['requests.post-filter.counts', 'requests.post-filter.undated-counted'], () => {
    expect(after).toMatch(/1 of 6 results removed; 2 had no date and were kept\.$/);
    expect(before).toMatch(/1 of 5 results removed; 2 had no date and were kept\.$/);
  });
  expect(upstream.received[0]?.body).not.toContainAnyKeys([
    'startPublishedDate',
    'endPublishedDate',
  ]);
});

const dayMs = 86_400_000;

function isRecent(day: string): boolean {
  return Date.parse(day) > Date.now() - 60 * dayMs;
}

/** The dates that all engines report, old pages only: recent pages age with the clock. */
async function knownDays(): Promise<Map<string, Set<string>>> {
  const days = new Map<string, Set<string>>();
  for (const provider of searchEngines) {
    for (const category of ['general', 'news']) {
      for (const { url, published_date } of (await ask({ provider, category })).results) {
        if (published_date === undefined || isRecent(published_date)) continue;
        days.set(url, (days.get(url) ?? new Set()).add(published_date));
      }
    }
  }
  return days;
}
