// Days from every form a vendor writes them in, filters that include their bounds, and our own.
import { expect } from 'bun:test';
import { askSearch, told } from '../asking.ts';
import { search_engines } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';
const ask = (request: object) => askSearch(pair().gateway, { query, ...request });

scenario(
  'whatever form its vendor writes a date in, a page has the same day from every engine',
  ['results.published-date.day', 'search-result.published-date'],
  async () => {
    const days = await knownDays();
    expect(days.size).toBeGreaterThan(8);
    for (const [url, seen] of days) expect([url, [...seen]]).toEqual([url, [[...seen][0] ?? '']]);
    for (const seen of days.values()) {
      for (const day of seen) expect(day).toMatch(/^20\d\d-(0\d|1[0-2])-([0-2]\d|3[01])$/);
    }
  },
);

scenario(
  'a page published on the very day of a bound is still in, on every engine',
  ['search-engines.published-after.inclusive', 'search-engines.published-before.inclusive'],
  async () => {
    const days = await knownDays();
    for (const provider of search_engines) {
      const { results } = await ask({ provider });
      const dated = results.filter(({ url }) => days.has(url));
      // Pages that age with the clock might change their day between two searches.
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
      }
    }
  },
);

scenario(
  'freshness is a window that ends now and rolls with the clock',
  ['search-engines.freshness.rolling'],
  async () => {
    const { sandbox } = pair();
    const windows = { day: 1, week: 7, month: 30, year: 365 };
    for (const [freshness, length] of Object.entries(windows)) {
      const asked_at = Date.now();
      const { results } = await ask({ provider: 'engine_a', freshness });
      const answered_at = Date.now();
      expect([freshness, results.length > 0]).toEqual([freshness, true]);
      const call = (await sandbox.calls('/exa')).at(-1);
      const { startPublishedDate: start } = call?.body as { startPublishedDate: string };
      const slack = freshness === 'month' || freshness === 'year' ? 2 : 0;
      const begin = Date.parse(start);
      expect(begin).toBeGreaterThanOrEqual(asked_at - (length + slack) * DAY_MS);
      expect(begin).toBeLessThanOrEqual(answered_at - (length - slack) * DAY_MS);
    }
    for (const provider of search_engines) {
      const { results } = await ask({ provider, freshness: 'week' });
      const oldest = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
      expect([provider, results.length > 0]).toEqual([provider, true]);
      for (const { published_date } of results) {
        if (published_date !== undefined) expect(published_date > oldest).toBe(true);
      }
    }
  },
);

scenario(
  'a date filter of ours tells how many it removed, keeps undated pages and counts them',
  [
    'warnings.results-post-filtered',
    'requests.post-filter.counts',
    'requests.post-filter.undated-kept',
    'requests.post-filter.undated-counted',
  ],
  async () => {
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
    // The index of companies knows no dates, so that they are left to the gateway.
    const answer = await askSearch(gateway, {
      query,
      provider: 'engine_a',
      category: 'company',
      published_after: '2026-01-01',
      published_before: '2026-03-31',
    });
    expect(answer.results.map(({ title }) => title)).toEqual([
      'first-day',
      'undated',
      'last-day',
      'unclear',
    ]);
    expect(told(answer)).toEqual([
      'published_after: results_post_filtered',
      'published_before: results_post_filtered',
    ]);
    const [after, before] = answer.warnings.map(({ message }) => message);
    expect(after).toMatch(/1 of 6 results removed; 2 had no date and were kept\.$/);
    expect(before).toMatch(/1 of 5 results removed; 2 had no date and were kept\.$/);
    expect(upstream.received[0]?.body).not.toContainAnyKeys([
      'startPublishedDate',
      'endPublishedDate',
    ]);
  },
);

const DAY_MS = 86_400_000;

function isRecent(day: string): boolean {
  return Date.parse(day) > Date.now() - 60 * DAY_MS;
}

/** The days all engines together know of pages, old ones only: young pages age with the clock. */
async function knownDays(): Promise<Map<string, Set<string>>> {
  const days = new Map<string, Set<string>>();
  for (const provider of search_engines) {
    for (const category of ['general', 'news']) {
      for (const { url, published_date } of (await ask({ provider, category })).results) {
        if (published_date === undefined || isRecent(published_date)) continue;
        days.set(url, (days.get(url) ?? new Set()).add(published_date));
      }
    }
  }
  return days;
}
