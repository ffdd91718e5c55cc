// Parameter by parameter: which engines warn, with which code, and that strict refuses the same.
import { test } from 'bun:test';
import { askSearch, strictIssues, warningCodes } from '../asking.ts';
import { searchEngines, searchMounts, searchEnginesBut } from '../engines.ts';
import type { SearchEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';

type Code = 'param_ignored' | 'param_approximated' | 'results_post_filtered';

/** The code with which an engine warns; an engine that is not listed honours the parameter. */
type Warned = Partial<Record<SearchEngine, Code>>;

const all = (engines: SearchEngine[], code: Code): Warned =>
  Object.fromEntries(engines.map((engine) => [engine, code]));

/** One line for every engine whose warnings or strict refusals differ from what is expected. */
async function differences(param: string, changes: object, warned: Warned): Promise<string[]> {
  const lines: string[] = [];
  for (const provider of searchEngines) {
    const request = { query, provider, ...changes };
    const code = warned[provider];
    const expected = JSON.stringify(code === undefined ? [] : [`${param}: ${code}`]);
    const warnings = JSON.stringify(warningCodes(await askSearch(pair().gateway, request)));
    const issues = JSON.stringify(await strictIssues(pair().gateway, '/v1/search', request));
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}

test('more than twenty results are capped on engines c and d', async () => {
  const capped: SearchEngine[] = ['engine_b', 'engine_c', 'engine_d', 'engine_h', 'engine_i'];
  const warned = all([...capped, 'engine_k'], 'param_approximated');
  await proves(
    ['search-engines.max-results.cap-engine-c', 'search-engines.max-results.cap-engine-d'],
    async () => expect(await differences('max_results', { max_results: 21 }, warned)).toEqual([]),
  );
  expect(await differences('max_results', { max_results: 20 }, {})).toEqual([]);
  const { gateway, sandbox } = pair();
  const sent = async (provider: 'engine_c' | 'engine_d') => {
    await askSearch(gateway, { query, provider, max_results: 100 });
    return (await sandbox.calls(searchMounts[provider])).at(-1);
  };
  await proves('search-engines.max-results.cap-engine-c', async () =>
    expect((await sent('engine_c'))?.body).toMatchObject({ max_results: 20 }),
  );
  await proves('search-engines.max-results.cap-engine-d', async () =>
    expect((await sent('engine_d'))?.query).toMatchObject({ count: '20' }),
  );
});

test('mode is ignored by engines with one tier', async () => {
  const warned = all(searchEnginesBut('engine_a', 'engine_b', 'engine_c'), 'param_ignored');
  for (const mode of ['instant', 'deep']) {
    await proves('search-engines.mode.single-tier', async () =>
      expect(await differences('mode', { mode }, warned)).toEqual([]),
    );
  }
});

test('full text comes from engines a and c, a summary from engine_a alone', async () => {
  const noText = all(searchEnginesBut('engine_a', 'engine_c'), 'param_ignored');
  const fullText = { content: { full_text: true } };
  await proves(
    ['search-engines.full-text.native-c', 'search-engines.full-text.ignored-elsewhere'],
    async () => expect(await differences('content.full_text', fullText, noText)).toEqual([]),
  );
  const noSummary = all(searchEnginesBut('engine_a'), 'param_ignored');
  const summary = { content: { summary: true } };
  await proves('search-engines.summary.ignored-elsewhere', async () =>
    expect(await differences('content.summary', summary, noSummary)).toEqual([]),
  );
  for (const provider of searchEngines) {
    const { results } = await askSearch(pair().gateway, {
      query,
      provider,
      content: { full_text: true, summary: true },
    });
    const hasText = ['engine_a', 'engine_c'].includes(provider);
    proves(
      ['search-engines.full-text.native-c', 'search-engines.full-text.ignored-elsewhere'],
      () =>
        expect([provider, results.some((one) => one.full_text !== undefined)]).toEqual([
          provider,
          hasText,
        ]),
    );
    expect([provider, results.some((one) => one.summary !== undefined)]).toEqual([
      provider,
      provider === 'engine_a',
    ]);
  }
});

test('a locale is native on engines c, d and e, and warned about elsewhere', async () => {
  const country: Warned = {
    ...all(searchEnginesBut('engine_c', 'engine_d', 'engine_e'), 'param_approximated'),
    engine_g: 'param_ignored',
  };
  await proves(['search-engines.locale.native', 'search-engines.locale.elsewhere'], async () =>
    expect(await differences('locale.country', { locale: { country: 'DE' } }, country)).toEqual([]),
  );
  const language: Warned = {
    ...all(searchEnginesBut('engine_c', 'engine_d', 'engine_e'), 'param_ignored'),
    ...all(['engine_i', 'engine_j', 'engine_k'], 'param_approximated'),
  };
  await proves(['search-engines.locale.native', 'search-engines.locale.elsewhere'], async () =>
    expect(await differences('locale.language', { locale: { language: 'de' } }, language)).toEqual(
      [],
    ),
  );
});

test('safe_search and offset are native on engines d and e and ignored elsewhere', async () => {
  const warned = all(searchEnginesBut('engine_d', 'engine_e'), 'param_ignored');
  for (const safeSearch of ['off', 'moderate', 'strict']) {
    // Google knows off and strict only.
    const more: Warned = safeSearch === 'moderate' ? { engine_e: 'param_approximated' } : {};
    const expected = { ...warned, ...more };
    await proves(['search-engines.safe-search.ignored-elsewhere', 'warnings.codes'], async () =>
      expect(await differences('safe_search', { safe_search: safeSearch }, expected)).toEqual([]),
    );
  }
  await proves(['search-engines.offset.ignored-elsewhere', 'warnings.codes'], async () =>
    expect(await differences('offset', { offset: 3 }, warned)).toEqual([]),
  );
});

test('company, people and research are native on engine_a, approximated elsewhere', async () => {
  const warned = all(searchEnginesBut('engine_a'), 'param_approximated');
  for (const category of ['company', 'people', 'research']) {
    await proves('search-engines.category.approximated-elsewhere', async () =>
      expect(await differences('category', { category }, warned)).toEqual([]),
    );
  }
});

test('news comes from the news index of the engines that have one', async () => {
  const without: SearchEngine[] = ['engine_b', 'engine_g', 'engine_j', 'engine_k'];
  const warned = all(without, 'param_approximated');
  await proves('search-engines.category.news-index', async () =>
    expect(await differences('category', { category: 'news' }, warned)).toEqual([]),
  );
});

test('freshness of a day is approximated by engines that filter by date', async () => {
  const datesOnly: Warned = all(['engine_b', 'engine_h', 'engine_i'], 'param_approximated');
  await proves('results.freshness-day', async () =>
    expect(await differences('freshness', { freshness: 'day' }, datesOnly)).toEqual([]),
  );
});

test('domains are native on most engines and query operators on engines d and e', async () => {
  const rewriting = all(['engine_d', 'engine_e'], 'param_approximated');
  const site = 'gridlines.example';
  const includeDomains = [site];
  await proves('search-engines.include-domains.native-elsewhere', async () =>
    expect(
      await differences('include_domains', { include_domains: includeDomains }, rewriting),
    ).toEqual([]),
  );
  const excluding: Warned = { ...rewriting, engine_i: 'param_approximated' };
  const excludeDomains = [site];
  await proves('search-engines.exclude-domains.native-elsewhere', async () =>
    expect(
      await differences('exclude_domains', { exclude_domains: excludeDomains }, excluding),
    ).toEqual([]),
  );
  const onSite = ({ url }: { url: string }) => new URL(url).hostname.endsWith(site);
  for (const provider of searchEngines) {
    const { gateway } = pair();
    const inside = await askSearch(gateway, { query, provider, include_domains: includeDomains });
    expect([provider, inside.results.length > 0]).toEqual([provider, true]);
    proves('search-engines.include-domains.native-elsewhere', () =>
      expect([provider, inside.results.every(onSite)]).toEqual([provider, true]),
    );
    const outside = await askSearch(gateway, {
      query,
      provider,
      exclude_domains: excludeDomains,
    });
    proves('search-engines.exclude-domains.native-elsewhere', () =>
      expect([provider, outside.results.some(onSite)]).toEqual([provider, false]),
    );
  }
});

test('strict refuses exactly what would warn, post-filters included', async () => {
  const combinations = [
    { mode: 'fast', offset: 2, safe_search: 'strict', category: 'company' },
    { max_results: 30, locale: { country: 'FR', language: 'fr' }, content: { summary: true } },
    { include_domains: ['gridlines.example'], exclude_domains: ['gridlines.example/storage'] },
    { published_before: '2026-06-30', category: 'research' },
    { freshness: 'day', category: 'news', content: { full_text: true } },
    { content: { snippets: { max_per_result: 1 } }, category: 'general' },
  ];
  const { gateway } = pair();
  let postFiltered = 0;
  for (const changes of combinations) {
    for (const provider of searchEngines) {
      const request = { query, provider, ...changes };
      const warnings = warningCodes(await askSearch(gateway, request));
      const issues = await strictIssues(gateway, '/v1/search', request);
      proves('requests.strict.same-as-warnings', () =>
        expect([provider, changes, issues]).toEqual([provider, changes, warnings]),
      );
      postFiltered += issues.filter((issue) => issue.endsWith('results_post_filtered')).length;
    }
  }
  proves('requests.strict.post-filter', () => expect(postFiltered).toBeGreaterThan(0));
});
