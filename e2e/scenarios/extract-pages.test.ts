// Every URL is in results or in failed, with the reason and the cost.
import { test } from 'bun:test';
import { askExtract } from '../asking.ts';
import { extractEngines, extractMounts, extractEnginesBut } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const ask = (request: object) => askExtract(pair().gateway, request);
const at = (path: string) => `https://pages.example${path}`;
const guide = 'https://gridlines.example/storage/solar-storage-guide';

const mixed = [
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
const delivered = [at('/moved'), guide, guide, at('/moved-twice')];

/** What the vendors say of a page that is gone; the others give no reason. */
const reasons: Partial<Record<ExtractEngine, RegExp>> = {
  engine_a: /CRAWL_NOT_FOUND/,
  engine_b: /fetch_error/,
  engine_c: /Failed to fetch url/,
  engine_e: /Failed to scrape/,
  engine_f: /404/,
  engine_h: /404/,
  engine_i: /404/,
};

test('results and failed together are the urls in their order, with repeats', async () => {
  for (const provider of extractEngines) {
    const { results, failed } = await ask({ provider, urls: mixed });
    proves(
      ['requests.urls.all-accounted', 'extract-response.partial-is-200', 'requests.empty-page'],
      () => {
        expect([provider, results.map(({ url }) => url)]).toEqual([provider, delivered]);
        const lost = mixed.filter((url) => !delivered.includes(url));
        expect([provider, failed.map(({ url }) => url)]).toEqual([provider, lost]);
      },
    );
    proves(['extract-response.failed', 'extract-response.failed-reason'], () => {
      for (const { url, error } of failed) expect([url, error.length > 3]).toEqual([url, true]);
      const gone = failed.find(({ url }) => url === at('/gone'))?.error;
      expect([provider, gone]).toEqual([provider, expect.stringMatching(reasons[provider] ?? /./)]);
    });
    proves('requests.urls.duplicates', () => {
      const [first, second] = results.filter(({ url }) => url === guide);
      expect(first).toEqual(second);
    });
  }
});

test('a URL that is listed twice is fetched once', async () => {
  const { sandbox } = pair();
  const urls = [guide, at('/new-home'), guide, guide, at('/new-home')];
  for (const provider of extractEngines) {
    await sandbox.clearCalls();
    const { results, usage } = await ask({ provider, urls });
    expect(results.map(({ url }) => url)).toEqual(urls);
    const calls = await sandbox.calls(extractMounts[provider]);
    const asked = JSON.stringify(calls.map(({ body, query }) => [body, query]));
    proves('requests.urls.duplicates', () =>
      expect([provider, asked.split(guide).length - 1]).toEqual([provider, 1]),
    );
    const once = await ask({ provider, urls: [guide, at('/new-home')] });
    expect([provider, usage.cost_usd]).toEqual([provider, once.usage.cost_usd]);
  }
});

test('twenty pages are one call to most vendors and twenty to four of them', async () => {
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
  for (const provider of extractEngines) {
    await sandbox.clearCalls();
    const { results } = await ask({ provider, urls });
    expect([provider, results.map(({ url }) => url)]).toEqual([provider, urls]);
    const calls = await sandbox.calls(extractMounts[provider]);
    proves('extract-engines.one-url-per-call', () =>
      expect([provider, calls.length]).toEqual([provider, expected[provider]]),
    );
  }
});

test('final_url is where redirects ended, from the vendors that report it', async () => {
  for (const provider of ['engine_a', 'engine_f', 'engine_i']) {
    const { results } = await ask({ provider, urls: [at('/moved'), guide] });
    proves('extract-result.final-url', () => {
      expect(results[0]).toMatchObject({ url: at('/moved'), final_url: at('/new-home') });
      expect(results[1]).not.toContainKey('final_url');
    });
  }
});

test('when no page can be fetched, the answer is a 200 with all of them in failed', async () => {
  const urls = [at('/gone'), 'https://nowhere.invalid/', at('/empty')];
  for (const provider of extractEngines) {
    const { results, failed } = await ask({ provider, urls });
    proves('extract-response.all-failed-is-200', () =>
      expect([provider, results, failed.map(({ url }) => url)]).toEqual([provider, [], urls]),
    );
  }
});

test('only delivered pages are charged', async () => {
  // These vendors report their own charge, which includes pages they failed to fetch.
  const reporting: ExtractEngine[] = ['engine_a', 'engine_e', 'engine_f', 'engine_h', 'engine_i'];
  for (const provider of extractEnginesBut(...reporting)) {
    const one = await ask({ provider, urls: [guide] });
    const mixed = await ask({ provider, urls: [at('/gone'), guide, 'https://nowhere.invalid/'] });
    proves('money.extract.delivered-only', () =>
      expect([provider, mixed.usage]).toEqual([provider, one.usage]),
    );
    const none = await ask({ provider, urls: [at('/gone')] });
    proves('money.extract.delivered-only', () =>
      expect([provider, none.usage]).toEqual([provider, { cost_usd: 0, credits: 0 }]),
    );
  }
});

test('a failed page costs what the provider reports as its charge', async () => {
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
  await proves('money.extract.reported-failures', async () =>
    expect((await askExtract(gateway, request)).usage.cost_usd).toBe(0.001),
  );
  charged = 0.002;
  const answer = await askExtract(gateway, request);
  expect(answer.failed).toHaveLength(1);
  proves('money.extract.reported-failures', () =>
    expect(answer.usage).toEqual({ cost_usd: 0.002, credits: 2 }),
  );
});
