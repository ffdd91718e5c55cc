// Every address is accounted for: what was had, what was not and why, and what it cost.
import { expect } from 'bun:test';
import { askExtract } from '../asking.ts';
import { extract_engines, extract_mounts, extractEnginesBut } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const ask = (request: object) => askExtract(pair().gateway, request);
const at = (path: string) => `https://pages.example${path}`;
const guide = 'https://gridlines.example/storage/solar-storage-guide';

const MIXED = [
  at('/moved'),
  at('/gone'),
  guide,
  at('/slow'),
  at('/bot-wall'),
  guide,
  at('/empty'),
  'https://nowhere.invalid/page',
  at('/moved-twice'),
  at('/gone'),
  at('/loop'),
];
const HAD = [at('/moved'), guide, guide, at('/moved-twice')];

scenario(
  'results and failed together are the urls, each list in their order, repeats included',
  [
    'requests.urls.all-accounted',
    'requests.urls.duplicates',
    'extract-response.failed',
    'extract-response.partial-is-200',
    'requests.empty-page',
  ],
  async () => {
    for (const provider of extract_engines) {
      const { results, failed } = await ask({ provider, urls: MIXED });
      expect([provider, results.map(({ url }) => url)]).toEqual([provider, HAD]);
      const lost = MIXED.filter((url) => !HAD.includes(url));
      expect([provider, failed.map(({ url }) => url)]).toEqual([provider, lost]);
      for (const { url, error } of failed) expect([url, error.length > 3]).toEqual([url, true]);
      const [first, second] = results.filter(({ url }) => url === guide);
      expect(first).toEqual(second);
    }
  },
);

scenario(
  'a URL that is listed twice is fetched once',
  ['requests.urls.duplicates', 'extract-engines.one-url-per-call'],
  async () => {
    const { sandbox } = pair();
    const urls = [guide, at('/new-home'), guide, guide, at('/new-home')];
    for (const provider of extract_engines) {
      await sandbox.clearCalls();
      const { results, usage } = await ask({ provider, urls });
      expect(results.map(({ url }) => url)).toEqual(urls);
      const calls = await sandbox.calls(extract_mounts[provider]);
      const asked = JSON.stringify(calls.map(({ body, query }) => [body, query]));
      expect([provider, asked.split(guide).length - 1]).toEqual([provider, 1]);
      const once = await ask({ provider, urls: [guide, at('/new-home')] });
      expect([provider, usage.cost_usd]).toEqual([provider, once.usage.cost_usd]);
    }
  },
);

scenario(
  'twenty pages are one call to most vendors, and a call for each page to four of them',
  ['extract-engines.one-url-per-call'],
  async () => {
    const { sandbox } = pair();
    const urls = Array.from({ length: 20 }, (_, index) => `${guide}?utm_campaign=${index}`);
    const expected: Record<ExtractEngine, number> = {
      engine_a: 1,
      engine_b: 1,
      engine_c: 1,
      engine_e: 20,
      engine_f: 20,
      engine_g: 20,
      engine_h: 2,
      engine_i: 20,
      engine_j: 2,
    };
    for (const provider of extract_engines) {
      await sandbox.clearCalls();
      const { results } = await ask({ provider, urls });
      expect([provider, results.map(({ url }) => url)]).toEqual([provider, urls]);
      const calls = await sandbox.calls(extract_mounts[provider]);
      expect([provider, calls.length]).toEqual([provider, expected[provider]]);
    }
  },
);

scenario(
  'final_url tells where redirects ended, from the vendors that tell',
  ['extract-result.final-url', 'extract-result.url'],
  async () => {
    for (const provider of ['engine_a', 'engine_f', 'engine_i']) {
      const { results } = await ask({ provider, urls: [at('/moved'), guide] });
      expect(results[0]).toMatchObject({ url: at('/moved'), final_url: at('/new-home') });
      expect(results[1]).not.toContainKey('final_url');
    }
  },
);

scenario('the reason is the one the vendor gave', ['extract-response.failed-reason'], async () => {
  const reasons: Partial<Record<ExtractEngine, RegExp>> = {
    engine_a: /CRAWL_NOT_FOUND/,
    engine_b: /fetch_error/,
    engine_c: /Failed to fetch url/,
    engine_e: /Failed to scrape/,
    engine_f: /404/,
    engine_h: /404/,
    engine_i: /404/,
  };
  for (const [provider, reason] of Object.entries(reasons)) {
    const { failed } = await ask({ provider, urls: [at('/gone'), guide] });
    expect([provider, failed[0]?.error]).toEqual([provider, expect.stringMatching(reason)]);
  }
});

scenario(
  'when no page at all can be had the answer is a 200 with all of them in failed',
  ['extract-response.all-failed-is-200'],
  async () => {
    const urls = [at('/gone'), 'https://nowhere.invalid/', at('/empty')];
    for (const provider of extract_engines) {
      const { results, failed } = await ask({ provider, urls });
      expect([provider, results, failed.map(({ url }) => url)]).toEqual([provider, [], urls]);
    }
  },
);

scenario('only delivered pages are paid for', ['money.extract.delivered-only'], async () => {
  // These bill by their own report, which counts pages they fetched in vain.
  const reporting: ExtractEngine[] = ['engine_a', 'engine_e', 'engine_f', 'engine_h', 'engine_i'];
  for (const provider of extractEnginesBut(...reporting)) {
    const one = await ask({ provider, urls: [guide] });
    const mixed = await ask({ provider, urls: [at('/gone'), guide, 'https://nowhere.invalid/'] });
    expect([provider, mixed.usage]).toEqual([provider, one.usage]);
    const none = await ask({ provider, urls: [at('/gone')] });
    expect([provider, none.usage]).toEqual([provider, { cost_usd: 0, credits: 0 }]);
  }
});

scenario(
  'a failed page costs what the provider reports to have charged for it',
  ['money.extract.reported-failures'],
  async () => {
    const page = (total: number) => ({
      requestId: 'r',
      results: [{ id: guide, url: guide, title: 'Guide', text: 'Some text' }],
      statuses: [
        { id: guide, status: 'success' },
        { id: at('/gone'), status: 'error', error: { tag: 'CRAWL_NOT_FOUND' } },
      ],
      costDollars: { total },
    });
    let charged = 0.001;
    await using upstream = startUpstream(() => Response.json(page(charged)));
    await using gateway = await startGateway({ env: upstream.env });
    const request = { provider: 'engine_a', urls: [guide, at('/gone')] };
    expect((await askExtract(gateway, request)).usage.cost_usd).toBe(0.001);
    charged = 0.002;
    const answer = await askExtract(gateway, request);
    expect(answer.failed).toHaveLength(1);
    expect(answer.usage).toEqual({ cost_usd: 0.002, credits: 2 });
  },
);
