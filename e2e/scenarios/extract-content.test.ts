// The content of a page: its excerpts, and options that reach the vendor unchanged.
import { test } from 'bun:test';
import { askExtract, warningCodes } from '../asking.ts';
import { extractMounts } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

const focused: ExtractEngine[] = ['engine_a', 'engine_b', 'engine_c', 'engine_f', 'engine_h'];

test('excerpts answer the query on five engines, beside the page or instead of it', async () => {
  const urls = ['https://pages.example/new-home', url];
  for (const provider of focused) {
    const focus = async (query: string, more: object = {}) =>
      ask({
        provider,
        query,
        content: { excerpts: { max_per_url: 1, max_chars_per_excerpt: 300 }, ...more },
      });
    const beside = await focus('how much does a battery cost');
    expect([provider, warningCodes(beside)]).toEqual([provider, []]);
    proves('extract-result.excerpts', () => {
      expect(beside.results[0]?.excerpts).toHaveLength(1);
      expect(beside.results[0]?.excerpts?.[0]?.length).toBeLessThanOrEqual(300);
    });
    proves('extract.content.excerpts.beside-full-text', () =>
      expect(beside.results[0]?.content?.length).toBeGreaterThan(1000),
    );
    const other = await focus('grid operators');
    proves('extract.query.focuses', () => {
      const [one, two] = [beside, other].map(({ results }) => results[0]?.excerpts?.[0]);
      expect([provider, typeof one, one === two]).toEqual([provider, 'string', false]);
    });
    const instead = await focus('how much does a battery cost', { full_text: false });
    proves('extract.content.excerpts.beside-full-text', () => {
      expect([provider, instead.results[0]?.excerpts]).toEqual([
        provider,
        beside.results[0]?.excerpts,
      ]);
      expect(instead.results[0]).not.toContainKey('content');
    });
    const both = await ask({
      urls,
      provider,
      query: 'battery',
      content: { excerpts: {} },
    });
    for (const page of both.results) expect(page.excerpts).toBeArray();
  }
});

test('the serving engine receives its own options unchanged, and no others', async () => {
  const { sandbox } = pair();
  const native: Partial<Record<ExtractEngine, object>> = {
    engine_a: { text: { maxCharacters: 500, verbosity: 'compact' }, maxAgeHours: null },
    engine_c: { extract_depth: null, include_images: true },
    engine_f: { onlyMainContent: false, waitFor: 0 },
    engine_g: { renderJs: true },
    engine_j: { max_age: null },
  };
  for (const [engine, options] of Object.entries(native)) {
    const provider = engine as ExtractEngine;
    await ask({ provider, provider_options: { [engine]: options, engine_d: { stray: 1 } } });
    const call = (await sandbox.calls(extractMounts[provider])).at(-1);
    proves(['extract.provider-options.verbatim', 'extract.provider-options.nullable'], () => {
      expect(call?.body).toMatchObject(options);
      expect(JSON.stringify(call?.body)).not.toContain('stray');
    });
  }
});
