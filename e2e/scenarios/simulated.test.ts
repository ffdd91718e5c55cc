// Test and live side by side: what a simulated provider of a live gateway answers is marked in every
// list, also later, and a store never has both modes.
import { expect, test } from 'bun:test';
import { JobList, ProvidersResponse, RequestList, TransferList } from '@trivium/contract';
import { startGateway, startRefused } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { waitFor } from '../wait-for.ts';

const token = 'operator-token-of-the-tests-0123456789';
const asOperator = { authorization: `Bearer ${token}` };

const read = async (gateway: Gateway, path: string) =>
  (await gateway.get(`/admin/v1${path}`, asOperator)).body;

async function marks(gateway: Gateway, query = ''): Promise<[string | null, boolean][]> {
  const { requests } = RequestList.parse(await read(gateway, `/requests?limit=50${query}`));
  return requests
    .map(({ provider, simulated }): [string | null, boolean] => [provider, simulated])
    .toReversed();
}

async function isSimulated(gateway: Gateway, id: string): Promise<boolean | undefined> {
  const { providers } = ProvidersResponse.parse((await gateway.get('/v1/providers')).body);
  const last = providers.find((one) => one.id === id)?.simulated?.at(-1);
  return last && last.ended_at === null;
}

const search = (gateway: Gateway, provider: string) =>
  gateway.post('/v1/search', {
    ...{ query: 'tides', provider },
    ...(provider === 'fusion'
      ? { provider_options: { fusion: { providers: ['engine_a', 'engine_g'] } } }
      : {}),
  });

test('requests, jobs and ledger lines of a simulated provider are marked and filtered, also after it is real', async () => {
  await using sandbox = await startTestSandbox();
  // One engine is not a sandbox.
  await using real = startUpstream(() =>
    exaAnswer([{ id: 'https://tides.example/', url: 'https://tides.example/', title: 'Tides' }]),
  );
  const env = { ...real.env, TRIVIUM_ADMIN_TOKEN: token };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  for (const provider of ['engine_a', 'engine_g', 'fusion']) {
    expect((await search(gateway, provider)).status).toBe(200);
  }
  const recording = { audio_url: 'https://recordings.example/interview.wav', provider: 'stt_a' };
  expect((await gateway.post('/v1/transcriptions', recording)).status).toBe(202);
  await waitFor(() => isSimulated(gateway, 'engine_g'), { what: 'the provider is known' });
  await waitFor(() => isSimulated(gateway, 'stt_a'), { what: 'the speech provider is known' });
  expect(await isSimulated(gateway, 'engine_a')).toBeUndefined();
  const all = [
    ['engine_a', false],
    ['engine_g', true],
    ['fusion', true],
    ['stt_a', true],
  ];
  expect(await marks(gateway)).toEqual(all as [string, boolean][]);
  const only = (wanted: boolean) => all.filter(([, one]) => one === wanted) as [string, boolean][];
  expect(await marks(gateway, '&simulated=true')).toEqual(only(true));
  expect(await marks(gateway, '&simulated=false')).toEqual(only(false));
  expect((await gateway.get('/admin/v1/requests?simulated=maybe', asOperator)).status).toBe(400);
  const errors = await gateway.get('/admin/v1/requests/errors?simulated=true', asOperator);
  expect(errors.status).toBe(200);
  const { jobs } = JobList.parse(await read(gateway, '/jobs'));
  expect(jobs.map(({ simulated }) => simulated)).toEqual([true]);
  const { transfers } = TransferList.parse(await read(gateway, '/transfers?kind=settle&limit=50'));
  const settled = transfers.filter(({ tool }) => tool === 'search');
  expect(settled.map(({ provider, simulated }) => [provider, simulated]).toSorted()).toEqual(
    all.slice(0, 3),
  );
  const csv = await gateway.get('/admin/v1/requests/export?format=csv', asOperator);
  expect(csv.text.split('\r\n')[0]).toEndWith(',simulated');

  // From now on the address is that of another server: what was simulated stays so.
  await gateway.stop();
  const later = { ...env, LINKUP_BASE_URL: real.env['EXA_BASE_URL'] };
  const options = { sandbox: sandbox.url, data_dir: gateway.data_dir };
  await using after = await startGateway({ ...options, env: { ...later, LINKUP_API_KEY: 'key' } });
  expect((await search(after, 'engine_g')).status).toBe(200);
  await waitFor(async () => (await isSimulated(after, 'engine_g')) === false, {
    what: 'the provider is real',
  });
  expect((await marks(after)).slice(0, 4)).toEqual(all as [string, boolean][]);
  expect((await marks(after)).at(-1)).toEqual(['engine_g', false]);
}, 120_000);

test('a store that was used in the sandbox cannot go live, so no list has both modes', async () => {
  const env = { TRIVIUM_ADMIN_TOKEN: token };
  await using gateway = await startGateway({ env });
  expect((await search(gateway, 'engine_a')).status).toBe(200);
  expect(await marks(gateway)).toEqual([['engine_a', true]]);
  expect(await marks(gateway, '&simulated=false')).toEqual([]);
  expect(await marks(gateway, '&simulated=true')).toEqual([['engine_a', true]]);
  await gateway.stop();
  const live = { TRIVIUM_SANDBOX: 'off', EXA_API_KEY: 'key', TRIVIUM_DATA_DIR: gateway.store_dir };
  const { exitCode, output } = await startRefused({ env: { ...env, ...live } });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('its balance is not real money');
}, 120_000);
