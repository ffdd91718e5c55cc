// Parameter by parameter: which engines warn, with which code, and that strict refuses just those.
import { expect } from 'bun:test';
import { askSearch, objections, told } from '../asking.ts';
import { search_engines, search_mounts, searchEnginesBut } from '../engines.ts';
import type { SearchEngine } from '../engines.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';

type Code = 'param_ignored' | 'param_approximated' | 'results_post_filtered';

/** The code with which an engine warns; an engine that is not listed honours the parameter. */
type Warned = Partial<Record<SearchEngine, Code>>;

const all = (engines: SearchEngine[], code: Code): Warned =>
  Object.fromEntries(engines.map((engine) => [engine, code]));

/** Answers one line for every engine that warned otherwise than expected, or refused otherwise. */
async function differences(param: string, changes: object, warned: Warned): Promise<string[]> {
  const lines: string[] = [];
  for (const provider of search_engines) {
    const request = { query, provider, ...changes };
    const code = warned[provider];
    const expected = JSON.stringify(code === undefined ? [] : [`${param}: ${code}`]);
    const warnings = JSON.stringify(told(await askSearch(pair().gateway, request)));
    const issues = JSON.stringify(await objections(pair().gateway, '/v1/search', request));
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}

scenario(
  'more than twenty results are capped on engines c and d, and where the vendor gives no more',
  ['search-engines.max-results.cap-engine-c', 'search-engines.max-results.cap-engine-d'],
  async () => {
    const capped: SearchEngine[] = ['engine_b', 'engine_c', 'engine_d', 'engine_h', 'engine_i'];
    const warned = all([...capped, 'engine_k'], 'param_approximated');
    expect(await differences('max_results', { max_results: 21 }, warned)).toEqual([]);
    expect(await differences('max_results', { max_results: 20 }, {})).toEqual([]);
    const { gateway, sandbox } = pair();
    const sent = async (provider: 'engine_c' | 'engine_d') => {
      await askSearch(gateway, { query, provider, max_results: 100 });
      return (await sandbox.calls(search_mounts[provider])).at(-1);
    };
    expect((await sent('engine_c'))?.body).toMatchObject({ max_results: 20 });
    expect((await sent('engine_d'))?.query).toMatchObject({ count: '20' });
  },
);

scenario(
  'mode is ignored by engines with one tier',
  ['search-engines.mode.single-tier'],
  async () => {
    const warned = all(searchEnginesBut('engine_a', 'engine_b', 'engine_c'), 'param_ignored');
    for (const mode of ['instant', 'deep']) {
      expect(await differences('mode', { mode }, warned)).toEqual([]);
    }
  },
);

scenario(
  'full text comes from engines a and c, a summary from engine_a alone',
  [
    'search-engines.full-text.native-c',
    'search-engines.full-text.ignored-elsewhere',
    'search-engines.summary.ignored-elsewhere',
  ],
  async () => {
    const no_text = all(searchEnginesBut('engine_a', 'engine_c'), 'param_ignored');
    const full_text = { content: { full_text: true } };
    expect(await differences('content.full_text', full_text, no_text)).toEqual([]);
    const no_summary = all(searchEnginesBut('engine_a'), 'param_ignored');
    const summary = { content: { summary: true } };
    expect(await differences('content.summary', summary, no_summary)).toEqual([]);
    for (const provider of search_engines) {
      const { results } = await askSearch(pair().gateway, {
        query,
        provider,
        content: { full_text: true, summary: true },
      });
      const has_text = ['engine_a', 'engine_c'].includes(provider);
      expect([provider, results.some((one) => one.full_text !== undefined)]).toEqual([
        provider,
        has_text,
      ]);
      expect([provider, results.some((one) => one.summary !== undefined)]).toEqual([
        provider,
        provider === 'engine_a',
      ]);
    }
  },
);

scenario(
  'a locale is native on engines c, d and e, and a hint or nothing elsewhere',
  ['search-engines.locale.native', 'search-engines.locale.elsewhere'],
  async () => {
    const country: Warned = {
      ...all(searchEnginesBut('engine_c', 'engine_d', 'engine_e'), 'param_approximated'),
      engine_g: 'param_ignored',
    };
    expect(await differences('locale.country', { locale: { country: 'DE' } }, country)).toEqual([]);
    const language: Warned = {
      ...all(searchEnginesBut('engine_c', 'engine_d', 'engine_e'), 'param_ignored'),
      ...all(['engine_i', 'engine_j', 'engine_k'], 'param_approximated'),
    };
    expect(await differences('locale.language', { locale: { language: 'de' } }, language)).toEqual(
      [],
    );
  },
);

scenario(
  'safe_search is native on engines d and e and ignored elsewhere, and so is an offset',
  [
    'search-engines.safe-search.ignored-elsewhere',
    'search-engines.offset.ignored-elsewhere',
    'warnings.codes',
  ],
  async () => {
    const warned = all(searchEnginesBut('engine_d', 'engine_e'), 'param_ignored');
    for (const safe_search of ['moderate', 'strict']) {
      expect(await differences('safe_search', { safe_search }, warned)).toEqual([]);
    }
    expect(await differences('offset', { offset: 3 }, warned)).toEqual([]);
  },
);

scenario(
  'company, people and research are native on engine_a and approximated everywhere else',
  ['search-engines.category.approximated-elsewhere'],
  async () => {
    const warned = all(searchEnginesBut('engine_a'), 'param_approximated');
    for (const category of ['company', 'people', 'research']) {
      expect(await differences('category', { category }, warned)).toEqual([]);
    }
  },
);

scenario(
  'news comes from the news index of the engines that have one',
  ['search-engines.category.news-index'],
  async () => {
    const without: SearchEngine[] = ['engine_b', 'engine_g', 'engine_j', 'engine_k'];
    const warned = all(without, 'param_approximated');
    expect(await differences('category', { category: 'news' }, warned)).toEqual([]);
  },
);

scenario(
  'a day is approximated by the engines that know dates only',
  ['results.freshness-day'],
  async () => {
    const datesOnly: Warned = all(
      ['engine_b', 'engine_g', 'engine_h', 'engine_i'],
      'param_approximated',
    );
    expect(await differences('freshness', { freshness: 'day' }, datesOnly)).toEqual([]);
  },
);

scenario(
  'domains are native on most engines, and operators in the query on engines d and e',
  [
    'search-engines.include-domains.native-elsewhere',
    'search-engines.exclude-domains.native-elsewhere',
  ],
  async () => {
    const rewriting = all(['engine_d', 'engine_e'], 'param_approximated');
    const site = 'gridlines.example';
    const include_domains = [site];
    expect(await differences('include_domains', { include_domains }, rewriting)).toEqual([]);
    const excluding: Warned = { ...rewriting, engine_i: 'param_approximated' };
    const exclude_domains = [site];
    expect(await differences('exclude_domains', { exclude_domains }, excluding)).toEqual([]);
    const on_site = ({ url }: { url: string }) => new URL(url).hostname.endsWith(site);
    for (const provider of search_engines) {
      const { gateway } = pair();
      const inside = await askSearch(gateway, { query, provider, include_domains });
      expect([provider, inside.results.length > 0]).toEqual([provider, true]);
      expect([provider, inside.results.every(on_site)]).toEqual([provider, true]);
      const outside = await askSearch(gateway, { query, provider, exclude_domains });
      expect([provider, outside.results.some(on_site)]).toEqual([provider, false]);
    }
  },
);

scenario(
  'strict refuses exactly what would warn, one issue for each warning, a post-filter included',
  ['requests.strict.same-as-warnings', 'requests.strict.post-filter'],
  async () => {
    const combinations = [
      { mode: 'fast', offset: 2, safe_search: 'strict', category: 'company' },
      { max_results: 30, locale: { country: 'FR', language: 'fr' }, content: { summary: true } },
      { include_domains: ['gridlines.example'], exclude_domains: ['gridlines.example/storage'] },
      { published_before: '2026-06-30', category: 'research' },
      { freshness: 'day', category: 'news', content: { full_text: true } },
      { content: { snippets: { max_per_result: 1 } }, category: 'general' },
    ];
    const { gateway } = pair();
    let post_filtered = 0;
    for (const changes of combinations) {
      for (const provider of search_engines) {
        const request = { query, provider, ...changes };
        const warnings = told(await askSearch(gateway, request));
        const issues = await objections(gateway, '/v1/search', request);
        expect([provider, changes, issues]).toEqual([provider, changes, warnings]);
        post_filtered += issues.filter((issue) => issue.endsWith('results_post_filtered')).length;
      }
    }
    expect(post_filtered).toBeGreaterThan(0);
  },
);
