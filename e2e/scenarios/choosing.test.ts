// Who serves: the order of auto, what makes an engine configured, and where its vendor is found.
import { expect } from 'bun:test';
import { askExtract, askSearch } from '../asking.ts';
import { extract_mounts, search_engines, search_mounts } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { ErrorAnswer, ExtractAnswer } from '../shapes.ts';
import { startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const query = 'solar energy storage';
const urls = ['https://gridlines.example/storage/solar-storage-guide'];

/** The variable of each engine's credential, as its vendor's own tools spell it. */
const CREDENTIALS = {
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

/** Addresses for all, so that nobody real is ever asked; credentials come one by one. */
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

scenario(
  'a credential and an address, path included, configure each engine, and no other',
  ['settings.credentials.all', 'settings.base-address.all', 'choice.configured.credential'],
  async () => {
    await using sandbox = await startSandboxProcess();
    for (const engine of search_engines) {
      await using gateway = await startGateway({
        env: {
          ...addressesAt(sandbox.url),
          ...(engine === 'engine_f' ? { FIRECRAWL_API_URL: `${sandbox.url}/firecrawl` } : {}),
          [CREDENTIALS[engine]]: `key-of-${engine}`,
        },
      });
      expect((await askSearch(gateway, { query })).provider).toBe(engine);
      expect(await sandbox.calls(search_mounts[engine])).toHaveLength(1);
      const other = engine === 'engine_a' ? 'engine_b' : 'engine_a';
      const refused = await gateway.post('/v1/search', { query, provider: other });
      expect([engine, refused.status]).toEqual([engine, 503]);
      if (engine === 'engine_d' || engine === 'engine_k') continue;
      expect((await askExtract(gateway, { urls })).provider).toBe(engine);
      expect((await sandbox.calls(extract_mounts[engine])).length).toBeGreaterThan(0);
    }
  },
  120_000,
);

scenario(
  'engine_d takes either of its variables, and engine_f none when it has an address',
  [
    'settings.credentials.brave-either',
    'settings.credentials.firecrawl-self-hosted',
    'choice.configured.self-hosted',
  ],
  async () => {
    await using sandbox = await startSandboxProcess();
    const address = { BRAVE_BASE_URL: `${sandbox.url}/brave`, TRIVIUM_SANDBOX: 'off' };
    for (const name of ['BRAVE_SEARCH_API_KEY', 'BRAVE_API_KEY']) {
      await using gateway = await startGateway({ env: { ...address, [name]: 'key' } });
      expect((await askSearch(gateway, { query })).provider).toBe('engine_d');
    }
    await using gateway = await startGateway({
      env: { TRIVIUM_SANDBOX: 'off', FIRECRAWL_API_URL: `${sandbox.url}/firecrawl` },
    });
    const found = await askSearch(gateway, { query });
    expect([found.provider, found.usage.cost_usd]).toEqual(['engine_f', 0]);
    const read = await askExtract(gateway, { urls });
    expect([read.provider, read.usage.cost_usd]).toEqual(['engine_f', 0]);
    const calls = await sandbox.calls('/firecrawl');
    expect(calls).toHaveLength(2);
  },
);

scenario(
  'auto takes the first engine of its order that is there, for search and for extraction',
  ['choice.auto.search', 'choice.auto.extract', 'extract.provider.default-auto'],
  async () => {
    await using sandbox = await startSandboxProcess();
    const seen: string[] = [];
    const served = async (off: readonly string[]) => {
      await using gateway = await startGateway({
        sandbox: sandbox.url,
        env: { TRIVIUM_DISABLED_PROVIDERS: off.join(',') },
      });
      const found = await askSearch(gateway, { query, provider: 'auto' });
      const read = await gateway.post('/v1/extract', { urls });
      const reader = read.status === 200 ? ExtractAnswer.parse(read.body).provider : read.status;
      seen.push(`${found.provider} ${reader}`);
    };
    // The last one leaves out those that come before engine_b in the order of extraction.
    const none_to_all = search_engines.map((_, gone) => search_engines.slice(0, gone));
    for (const off of [...none_to_all, ['engine_a', 'engine_c']]) await served(off);
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
    ]);
  },
  120_000,
);

scenario(
  'auto does not go on to another engine when the one it took fails',
  ['choice.auto.never-changes-midway'],
  async () => {
    await using sandbox = await startSandboxProcess();
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
    expect(await sandbox.calls('/parallel')).toEqual([]);
    expect(await sandbox.calls('/tavily')).toEqual([]);
  },
);

scenario(
  'an extraction is a 503 without a credential, and a switched-off engine says that it is off',
  ['errors.extract.503'],
  async () => {
    await using upstream = startUpstream(() => Response.json({}));
    await using gateway = await startGateway({
      env: { ...upstream.env, TRIVIUM_DISABLED_PROVIDERS: 'engine_a' },
    });
    for (const provider of ['engine_b', 'engine_j', 'auto', undefined]) {
      const answer = await gateway.post('/v1/extract', { urls, provider });
      expect([provider, answer.status]).toEqual([provider, 503]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('provider_not_configured');
    }
    const off = await gateway.post('/v1/extract', { urls, provider: 'engine_a' });
    expect(ErrorAnswer.parse(off.body).error.type).toBe('provider_not_available');
    expect(upstream.received).toEqual([]);
  },
);
