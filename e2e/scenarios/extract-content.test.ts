// The content of a page: its length, its excerpts, and options that reach the vendor unchanged.
import { test } from 'bun:test';
import { askExtract, warningCodes } from '../asking.ts';
import { extractEngines, extractMounts } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

const focused: ExtractEngine[] = ['engine_a', 'engine_b', 'engine_c', 'engine_f', 'engine_h'];

test('every engine cuts content at the exact length without a warning', async () => {
  for (const provider of extractEngines) {
    const [whole] = (await ask({ provider })).results;
    for (const maxChars of [100, 777]) {
      const answer = await ask({ provider, content: { max_chars: maxChars }, strict: true });
      proves('requests.max-chars.exact', () => {
        expect([provider, answer.warnings]).toEqual([provider, []]);
        const [page] = answer.results;
        expect([provider, page?.content]).toEqual([provider, whole?.content?.slice(0, maxChars)]);
      });
    }
    const uncut = await ask({ provider, content: { max_chars: 100_000 } });
    proves('requests.max-chars.exact', () =>
      expect(uncut.results[0]?.content).toBe(whole?.content ?? ''),
    );
  }
});

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

test('another query leads to other excerpts', async () => {
  for (const provider of focused) {
    const first = async (query: string) => {
      const content = { full_text: false, excerpts: { max_per_url: 1 } };
      return (await ask({ provider, query, content })).results[0]?.excerpts?.[0];
    };
    const noon = await first('electricity around noon');
    const grid = await first('grid operators');
    proves('extract.query.focuses', () =>
      expect([provider, typeof noon, noon === grid]).toEqual([provider, 'string', false]),
    );
  }
});

test('an option may be null, and the engine receives null', async () => {
  const { sandbox } = pair();
  const native: Partial<Record<ExtractEngine, string>> = {
    engine_a: 'maxAgeHours',
    engine_c: 'extract_depth',
    engine_j: 'max_age',
  };
  for (const [engine, option] of Object.entries(native)) {
    const provider = engine as ExtractEngine;
    await ask({ provider, provider_options: { [engine]: { [option]: null } } });
    const call = (await sandbox.calls(extractMounts[provider])).at(-1);
    proves('extract.provider-options.nullable', () =>
      expect((call?.body as Record<string, unknown>)[option]).toBeNull(),
    );
  }
});

test('the serving engine receives its own options unchanged, and no others', async () => {
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
    const call = (await sandbox.calls(extractMounts[provider])).at(-1);
    proves('extract.provider-options.verbatim', () => {
      expect(call?.body).toMatchObject(options);
      expect(JSON.stringify(call?.body)).not.toContain('stray');
    });
  }
});
