// Hostile models and options of transcriptions: an unknown model is never cheaper, reserved options
// are refused, an empty account gets a 402, and every finished job is paid.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { startGateway } from '../harness.ts';
import type { Client } from '../http-client.ts';
import { hasEnded, interview, readJob, waitForJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { makeValues, unreadable } from './hostile-options.ts';
import { sold } from './option-paths.ts';
import type { Sold } from './option-paths.ts';
import { makeAccount, micro, moneyOf, operatorToken } from './small-account.ts';

const values = makeValues(15, 20);
const speech = sold.filter(({ product }) => product === 'transcribe');

test('every value of a transcription option is priced and paid, or refused', async () => {
  await using sandbox = await startTestSandbox();
  const env = {
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '100',
    LOG_LEVEL: 'error',
  };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  const empty = (await makeAccount(gateway, 0)).on(gateway);
  const opening = await moneyOf(gateway);
  const jobs: string[] = [];
  expect(speech).toHaveLength(3);
  for (const one of speech) {
    const model = one.id === 'stt_c' ? 'model_id' : 'model';
    const usual = Number(await holdOf(gateway, one, {}));
    expect(usual).toBeGreaterThan(0);
    for (const value of [...values, ...one.rates, ...one.rates.map((name) => `${name}-x`)]) {
      await checkModel(gateway, empty, one, { [model]: value }, usual);
    }
    for (const [at, name] of one.refused.entries()) {
      const { status, text } = await ask(gateway, one, {
        [name]: unreadable[at % unreadable.length],
      });
      expect([name, status]).toEqual([name, 400]);
      expect(text).toContain(`provider_options.${one.id}.${name}`);
    }
    for (const value of [-1, 1e308, 'constructor', null, [], { a: [-1] }]) {
      const { status, body, text } = await ask(gateway, one, { unheard_of: value });
      if (status !== 202) throw new Error(`${one.id} ${JSON.stringify(value)}: ${text}`);
      jobs.push((body as { id: string }).id);
    }
  }
  let paid = 0;
  for (const id of jobs) {
    await waitForJob(gateway, id, hasEnded);
    const { result } = await readJob(gateway, id);
    const cost = micro(result?.usage?.cost_usd ?? 0);
    if (result) expect([id, cost > 0]).toEqual([id, true]);
    paid += cost;
  }
  expect(await moneyOf(gateway)).toEqual({ balance: opening.balance - paid, held: 0 });
  expect(paid).toBeGreaterThan(0);
  await gateway.stop();
  await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir });
});

/** Only a model that the vendor lists may cost less than the default, and never nothing. */
async function checkModel(
  gateway: Client,
  empty: Client,
  one: Sold,
  options: Record<string, unknown>,
  usual: number,
): Promise<void> {
  const shown = JSON.stringify(options).slice(0, 200);
  const hold = await holdOf(gateway, one, options);
  if (hold === 'refused') return;
  const isListed = one.rates.some((name) => shown.includes(name) && !one.surcharges.includes(name));
  const least = isListed ? 1 : usual;
  if (!(hold >= least)) throw new Error(`${one.id} ${shown} holds ${hold} instead of ${usual}`);
  const { status } = await ask(empty, one, options);
  expect([shown, status]).toEqual([shown, 402]);
}

async function holdOf(gateway: Client, one: Sold, options: object): Promise<number | 'refused'> {
  const { status, body, text } = await ask(gateway, one, options, { 'x-max-cost-usd': '0' });
  if (status === 400) return 'refused';
  if (status !== 402) throw new Error(`${one.id} ${JSON.stringify(options)}: ${status} ${text}`);
  return micro((body as { error: { detail: { needed_usd: number } } }).error.detail.needed_usd);
}

function ask(client: Client, { id }: Sold, options: object, headers = {}) {
  const body = { audio_url: interview, provider: id, provider_options: { [id]: options } };
  return client.post('/v1/transcriptions', body, headers);
}
