// `raw` is the provider's own object, byte for byte, from every engine and for both tools.
import { test } from 'bun:test';
import { extractEngines, searchEngines } from '../engines.ts';
import { shared, startGateway } from '../harness.ts';
import { rawTexts, startRecordingProxy } from '../recording-proxy.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { expect, proves } from '../proves.ts';

const opened = shared(async () => {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startTestSandbox());
  const proxy = stack.use(startRecordingProxy(sandbox.url));
  const gateway = stack.use(await startGateway({ sandbox: proxy.url }));
  const stop = stack.move();
  return { proxy, gateway, [Symbol.asyncDispose]: () => stop.disposeAsync() };
});

test('every search result carries the bytes of its own object', async () => {
  for (const provider of searchEngines) {
    for (const category of ['general', 'news']) {
      const request = { query: 'solar energy storage', provider, category };
      await proves(
        ['search-result.raw-verbatim', 'search-result.raw-always', 'results.raw.key-order'],
        async () => {
          await expectVerbatim(provider, '/v1/search', request);
        },
      );
    }
  }
});

test('every extracted page carries the bytes of its own object', async () => {
  const urls = [
    'https://gridlines.example/storage/solar-storage-guide',
    'https://pages.example/unicode/na%C3%AFve-caf%C3%A9',
    'https://pages.example/moved',
  ];
  for (const provider of extractEngines) {
    await proves('extract-result.raw', async () => {
      await expectVerbatim(provider, '/v1/extract', { urls, provider });
    });
  }
});

async function expectVerbatim(provider: string, path: string, request: object): Promise<void> {
  const { proxy, gateway } = opened();
  proxy.answers.length = 0;
  const answer = await gateway.post(path, request);
  if (answer.status !== 200) throw new Error(`${provider}: ${answer.status} ${answer.text}`);
  const { results } = answer.body as { results: { url: string; raw: unknown }[] };
  const raws = rawTexts(answer.text);
  expect([provider, raws.length]).toEqual([provider, results.length]);
  expect(results.length).toBeGreaterThan(0);
  for (const [index, raw] of raws.entries()) {
    const isVerbatim = proxy.answers.some((text) => text.includes(raw));
    expect([provider, raw.slice(0, 200), isVerbatim]).toEqual([provider, raw.slice(0, 200), true]);
    expect(JSON.parse(raw)).toEqual(results[index]?.raw);
    if (path === '/v1/search') expect(raw).toContain(String(results[index]?.url));
  }
  expect(new Set(raws).size).toBe(raws.length);
}
