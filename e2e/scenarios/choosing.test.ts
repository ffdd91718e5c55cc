// Provider selection: the order of auto, what configures an engine, and the address of its vendor.
import { test } from 'bun:test';
import { ProvidersResponse } from '@trivium/contract';
import { askExtract, askSearch } from '../asking.ts';
import { extractMounts, searchEngines, searchMounts } from '../engines.ts';
import { startGateway, startWithSandbox } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { ErrorAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const query = 'solar energy storage';
const urls = ['https://gridlines.example/storage/solar-storage-guide'];

// server/src/settings/settings.test.ts has the variables of every vendor, one at a time.
test('every engine is called at the address of its vendor, and one without a credential is not', async () => {
  await using pair = await startWithSandbox({ env: { PARALLEL_API_KEY: undefined } });
  const { gateway, sandbox } = pair;
  for (const provider of searchEngines) {
    const status = provider === 'engine_b' ? 503 : 200;
    await proves(
      ['choice.configured.credential', 'settings.credentials.all', 'settings.base-address.all'],
      async () => {
        const found = await gateway.post('/v1/search', { query, provider });
        expect([provider, found.status]).toEqual([provider, status]);
        const calls = await sandbox.calls(searchMounts[provider]);
        expect([provider, calls.length]).toEqual([provider, status === 200 ? 1 : 0]);
      },
    );
    if (provider === 'engine_d' || provider === 'engine_k') continue;
    const read = await gateway.post('/v1/extract', { urls, provider });
    expect([provider, read.status]).toEqual([provider, status]);
    const calls = await sandbox.calls(extractMounts[provider]);
    expect([provider, calls.length > 0]).toEqual([provider, status === 200]);
  }
});

test('engine_d accepts either variable, and engine_f needs none with an address', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGateway({
    env: {
      TRIVIUM_SANDBOX: 'off',
      BRAVE_API_KEY: 'key',
      BRAVE_BASE_URL: `${sandbox.url}/brave`,
      FIRECRAWL_API_URL: `${sandbox.url}/firecrawl`,
    },
  });
  await proves('settings.credentials.brave-either', async () =>
    expect((await askSearch(gateway, { query })).provider).toBe('engine_d'),
  );
  const found = await askSearch(gateway, { query, provider: 'engine_f' });
  const read = await askExtract(gateway, { urls });
  proves(['settings.credentials.firecrawl-self-hosted', 'choice.configured.self-hosted'], () => {
    for (const { provider, usage } of [found, read]) {
      expect([provider, usage.cost_usd]).toEqual(['engine_f', 0]);
    }
  });
  expect(await sandbox.calls('/firecrawl')).toHaveLength(2);
});

test('auto chooses the first configured engine of its order', async () => {
  await using sandbox = await startTestSandbox();
  await using all = await startGateway({ sandbox: sandbox.url });
  const { auto } = ProvidersResponse.parse((await all.get('/v1/providers')).body);
  const ordersOf = ({ order }: typeof auto.search) =>
    order.map(({ provider }) => provider.replace('engine_', '')).join('');
  const env = { TRIVIUM_DISABLED_PROVIDERS: 'engine_a,engine_c' };
  await using fewer = await startGateway({ sandbox: sandbox.url, env });
  const served = async (gateway: Gateway) => [
    (await askSearch(gateway, { query, provider: 'auto' })).provider,
    (await askExtract(gateway, { urls })).provider,
    (await askExtract(gateway, { urls, provider: 'auto' })).provider,
  ];
  await proves(
    [
      'choice.auto.search',
      'choice.auto.extract',
      'extract.provider.default-auto',
      'extract-response.provider',
    ],
    async () => {
      expect([auto.search, auto.extract].map(ordersOf)).toEqual(['abcdefghijk', 'acbefghij']);
      expect(await served(all)).toEqual(['engine_a', 'engine_a', 'engine_a']);
      expect(await served(fewer)).toEqual(['engine_b', 'engine_b', 'engine_b']);
    },
  );
});

test('auto does not try another engine when the chosen one fails', async () => {
  await using pair = await startWithSandbox();
  const { gateway, sandbox } = pair;
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
