// Provider selection: the order of auto, what configures an engine, and the address of its vendor.
import { test } from 'bun:test';
import { askExtract, askSearch } from '../asking.ts';
import { extractMounts, searchEngines, searchMounts } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { ErrorAnswer, ExtractAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const query = 'solar energy storage';
const urls = ['https://gridlines.example/storage/solar-storage-guide'];

/** The variable that holds each engine's credential, named as in its vendor's own tools. */
const credentials = {
  engine_a: 'EXA_API_KEY',
  engine_b: 'PARALLEL_API_KEY',
  engine_c: 'TAVILY_API_KEY',
  engine_d: 'BRAVE_SEARCH_API_KEY',
  engine_e: 'SERPER_API_KEY',
  engine_f: 'FIRECRAWL_API_KEY',
  engine_g: 'LINKUP_API_KEY',
  engine_h: 'VALYU_API_KEY',
  engine_i: 'JINA_API_KEY',
  engine_j: 'YDC_API_KEY',
  engine_k: 'PERPLEXITY_API_KEY',
} as const;

/** Addresses of all vendors, so that no real vendor is called; each test adds the credentials. */
function addressesAt(url: string): Record<string, string | undefined> {
  return {
    EXA_BASE_URL: `${url}/exa`,
    PARALLEL_BASE_URL: `${url}/parallel`,
    TAVILY_BASE_URL: `${url}/tavily`,
    BRAVE_BASE_URL: `${url}/brave`,
    SERPER_BASE_URL: `${url}/serper`,
    SERPER_SCRAPE_BASE_URL: `${url}/serper-scrape`,
    LINKUP_BASE_URL: `${url}/linkup`,
    VALYU_BASE_URL: `${url}/valyu`,
    JINA_SEARCH_BASE_URL: `${url}/jina-search`,
    JINA_READER_BASE_URL: `${url}/jina-reader`,
    YDC_BASE_URL: `${url}/you`,
    PERPLEXITY_BASE_URL: `${url}/perplexity`,
    TRIVIUM_SANDBOX: 'off',
  };
}

test('a credential and an address configure their engine and no other', async () => {
  await using sandbox = await startTestSandbox();
  for (const engine of searchEngines) {
    await using gateway = await startGateway({
      env: {
        ...addressesAt(sandbox.url),
        ...(engine === 'engine_f' ? { FIRECRAWL_API_URL: `${sandbox.url}/firecrawl` } : {}),
        [credentials[engine]]: `key-of-${engine}`,
      },
    });
    await proves(['choice.configured.credential', 'settings.credentials.all'], async () =>
      expect((await askSearch(gateway, { query })).provider).toBe(engine),
    );
    await proves('settings.base-address.all', async () =>
      expect(await sandbox.calls(searchMounts[engine])).toHaveLength(1),
    );
    const other = engine === 'engine_a' ? 'engine_b' : 'engine_a';
    const refused = await gateway.post('/v1/search', { query, provider: other });
    expect([engine, refused.status]).toEqual([engine, 503]);
    if (engine === 'engine_d' || engine === 'engine_k') continue;
    expect((await askExtract(gateway, { urls })).provider).toBe(engine);
    expect((await sandbox.calls(extractMounts[engine])).length).toBeGreaterThan(0);
  }
});

test('engine_d accepts either variable, and engine_f needs none with an address', async () => {
  await using sandbox = await startTestSandbox();
  const address = { BRAVE_BASE_URL: `${sandbox.url}/brave`, TRIVIUM_SANDBOX: 'off' };
  for (const name of ['BRAVE_SEARCH_API_KEY', 'BRAVE_API_KEY']) {
    await using gateway = await startGateway({ env: { ...address, [name]: 'key' } });
    await proves('settings.credentials.brave-either', async () =>
      expect((await askSearch(gateway, { query })).provider).toBe('engine_d'),
    );
  }
  await using gateway = await startGateway({
    env: { TRIVIUM_SANDBOX: 'off', FIRECRAWL_API_URL: `${sandbox.url}/firecrawl` },
  });
  const found = await askSearch(gateway, { query });
  proves(['settings.credentials.firecrawl-self-hosted', 'choice.configured.self-hosted'], () =>
    expect([found.provider, found.usage.cost_usd]).toEqual(['engine_f', 0]),
  );
  const read = await askExtract(gateway, { urls });
  proves(['settings.credentials.firecrawl-self-hosted', 'choice.configured.self-hosted'], () =>
    expect([read.provider, read.usage.cost_usd]).toEqual(['engine_f', 0]),
  );
  const calls = await sandbox.calls('/firecrawl');
  expect(calls).toHaveLength(2);
});

test('auto chooses the first configured engine of its order', async () => {
  await using sandbox = await startTestSandbox();
  const seen: string[] = [];
  const served = async (off: readonly string[]) => {
    await using gateway = await startGateway({
      sandbox: sandbox.url,
      env: { TRIVIUM_DISABLED_PROVIDERS: off.join(',') },
    });
    const found = await askSearch(gateway, { query, provider: 'auto' });
    const read = await gateway.post('/v1/extract', { urls });
    const reader = read.status === 200 ? ExtractAnswer.parse(read.body).provider : read.status;
    const named = await gateway.post('/v1/extract', { urls, provider: 'auto' });
    await proves('extract-response.provider', async () => {
      expect(named.status).toBe(read.status);
      if (named.status !== 200) return;
      expect(ExtractAnswer.parse(named.body).provider).toBe(String(reader));
      const mount = extractMounts[reader as keyof typeof extractMounts];
      expect((await sandbox.calls(mount)).length).toBeGreaterThan(0);
    });
    await sandbox.clearCalls();
    seen.push(`${found.provider} ${reader}`);
  };
  // The last case disables the engines that come before engine_b in the order of extraction.
  const noneToAll = searchEngines.map((_, gone) => searchEngines.slice(0, gone));
  for (const off of [...noneToAll, ['engine_a', 'engine_c']]) await served(off);
  proves(['choice.auto.search', 'choice.auto.extract', 'extract.provider.default-auto'], () =>
    expect(seen).toEqual([
      'engine_a engine_a',
      'engine_b engine_c',
      'engine_c engine_c',
      'engine_d engine_e',
      'engine_e engine_e',
      'engine_f engine_f',
      'engine_g engine_g',
      'engine_h engine_h',
      'engine_i engine_i',
      'engine_j engine_j',
      'engine_k 503',
      'engine_b engine_b',
    ]),
  );
});

test('auto does not try another engine when the chosen one fails', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGateway({ sandbox: sandbox.url });
  await sandbox.fault('/exa', 'server_error');
  for (const [path, body] of [
    ['/v1/search', { query }],
    ['/v1/extract', { urls }],
  ] as const) {
    const answer = await gateway.post(path, body);
    expect([path, answer.status]).toEqual([path, 502]);
    expect(ErrorAnswer.parse(answer.body).error.detail).toMatchObject({ provider: 'engine_a' });
  }
  await proves(['choice.auto.never-changes-midway', 'choice.failover.off'], async () => {
    expect(await sandbox.calls('/parallel')).toEqual([]);
    expect(await sandbox.calls('/tavily')).toEqual([]);
  });
});
