// What comes back of a page: its length, its excerpts, and options that reach the vendor untouched.
import { expect } from 'bun:test';
import { askExtract, told } from '../asking.ts';
import { extract_engines, extract_mounts } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

const FOCUSED: ExtractEngine[] = ['engine_a', 'engine_b', 'engine_c', 'engine_f', 'engine_h'];

scenario(
  'content is cut at the exact length by every engine, without a warning, strictly too',
  ['requests.max-chars.exact'],
  async () => {
    for (const provider of extract_engines) {
      const [whole] = (await ask({ provider })).results;
      for (const max_chars of [100, 777]) {
        const answer = await ask({ provider, content: { max_chars }, strict: true });
        expect([provider, answer.warnings]).toEqual([provider, []]);
        const [page] = answer.results;
        expect([provider, page?.content]).toEqual([provider, whole?.content?.slice(0, max_chars)]);
      }
      const roomy = await ask({ provider, content: { max_chars: 100_000 } });
      expect(roomy.results[0]?.content).toBe(whole?.content ?? '');
    }
  },
);

scenario(
  'a page that is larger than the largest cap is cut there',
  ['requests.max-chars.exact'],
  async () => {
    const urls = ['https://pages.example/huge'];
    for (const provider of extract_engines) {
      const { results } = await ask({ urls, provider, content: { max_chars: 100_000 } });
      expect([provider, results[0]?.content?.length]).toEqual([provider, 100_000]);
    }
  },
);

scenario(
  'excerpts answer the query on five engines, beside the page or instead of it',
  ['extract-result.excerpts', 'extract.query.focuses', 'extract.content.excerpts.beside-full-text'],
  async () => {
    const urls = ['https://pages.example/new-home', url];
    for (const provider of FOCUSED) {
      const focus = async (query: string, more: object = {}) =>
        ask({
          provider,
          query,
          content: { excerpts: { max_per_url: 1, max_chars_per_excerpt: 300 }, ...more },
        });
      const beside = await focus('how much does a battery cost');
      expect([provider, told(beside)]).toEqual([provider, []]);
      expect(beside.results[0]?.excerpts).toHaveLength(1);
      expect(beside.results[0]?.excerpts?.[0]?.length).toBeLessThanOrEqual(300);
      expect(beside.results[0]?.content?.length).toBeGreaterThan(1000);
      const instead = await focus('how much does a battery cost', { full_text: false });
      expect([provider, instead.results[0]?.excerpts]).toEqual([
        provider,
        beside.results[0]?.excerpts,
      ]);
      expect(instead.results[0]).not.toContainKey('content');
      const both = await ask({
        urls,
        provider,
        query: 'battery',
        content: { excerpts: {} },
      });
      for (const page of both.results) expect(page.excerpts).toBeArray();
    }
  },
);

scenario('another query leads to other excerpts', ['extract.query.focuses'], async () => {
  for (const provider of FOCUSED) {
    const first = async (query: string) => {
      const content = { full_text: false, excerpts: { max_per_url: 1 } };
      return (await ask({ provider, query, content })).results[0]?.excerpts?.[0];
    };
    const noon = await first('electricity around noon');
    const grid = await first('grid operators');
    expect([provider, typeof noon, noon === grid]).toEqual([provider, 'string', false]);
  }
});

scenario(
  'options of the serving engine reach it word for word, and those of others do not',
  ['extract.provider-options.verbatim'],
  async () => {
    const { sandbox } = pair();
    const native: Partial<Record<ExtractEngine, object>> = {
      engine_a: { text: { maxCharacters: 500, verbosity: 'compact' } },
      engine_c: { extract_depth: 'advanced' },
      engine_f: { onlyMainContent: false, waitFor: 0 },
      engine_g: { renderJs: true },
    };
    for (const [engine, options] of Object.entries(native)) {
      const provider = engine as ExtractEngine;
      await ask({ provider, provider_options: { [engine]: options, engine_d: { stray: 1 } } });
      const call = (await sandbox.calls(extract_mounts[provider])).at(-1);
      expect(call?.body).toMatchObject(options);
      expect(JSON.stringify(call?.body)).not.toContain('stray');
    }
  },
);
