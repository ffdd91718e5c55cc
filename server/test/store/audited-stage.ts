// A store after real traffic of every kind, for audits: searches, panels, pages, jobs, replays,
// refunds and refusals, over vendors as the sandbox plays them.
import { startSandbox } from '@trivium/sandbox';
import { vendorSettings } from '../../../e2e/vendor-settings.ts';
import { admin_token, openGateway } from '../gateway.ts';
import type { TestGateway } from '../gateway.ts';
import type { Bench, Engine } from './engines.ts';

export interface Stage {
  bench: Bench;
  gateway: TestGateway;
  /** As the operator sees it. */
  manage: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  /** Ends the gateway and keeps the store. */
  stopGateway: () => Promise<void>;
  discard: () => Promise<void>;
}

const account = '/admin/v1/accounts/acct_default';
const pollMs = 50;
const interview = 'https://recordings.example/interview.wav';

export async function openStage(engine: Engine): Promise<Stage> {
  const sandbox = await startSandbox();
  const bench = await engine.open();
  const gateway = await openGateway(`${sandbox.url}/exa`, {
    ...vendorSettings(sandbox.url),
    ...bench.settings,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '5',
  });
  let running = true;
  const stopGateway = async () => {
    if (running) await gateway[Symbol.asyncDispose]();
    running = false;
  };
  return {
    bench,
    gateway,
    manage: async (method, path, body) => {
      const headers = { authorization: `Bearer ${admin_token}` };
      const answer = await gateway.ask(method, path, { headers, ...(body ? { body } : {}) });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    stopGateway,
    discard: async () => {
      await stopGateway();
      await sandbox.stop();
      await bench.discard();
    },
  };
}

/** Everything that moves money, or is free by a rule. */
export async function makeTraffic({ gateway, manage }: Stage): Promise<void> {
  const post = async (path: string, body: object, expected = 200, headers = {}) => {
    const answer = await gateway.ask('POST', path, { body, headers });
    if (answer.status !== expected) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  };
  const searches = Array.from({ length: 10 }, () => post('/v1/search', { query: 'solar' }));
  const paid = (await Promise.all(searches))[0]?.headers.get('x-request-id');
  await post('/v1/search', { query: 'solar', provider: 'fusion' });
  await post('/v1/extract', { urls: ['https://grid.example/storage', 'https://no.example/'] });
  await post('/v1/search', { query: '' }, 400);
  await post('/v1/search', { query: 'solar' }, 402, { 'x-max-cost-usd': '0.000001' });
  const once = { 'idempotency-key': 'searched-once' };
  for (const _try of [1, 2]) await post('/v1/search', { query: 'wind' }, 200, once);
  const jobOnce = { 'idempotency-key': 'heard-once' };
  const job = { audio_url: interview, provider: 'stt_a' };
  for (const _try of [1, 2]) await post('/v1/transcriptions', job, 202, jobOnce);
  await post(
    '/v1/transcriptions',
    { ...job, audio_url: 'https://recordings.example/missing.wav' },
    202,
  );
  while ((await jobsOf(manage)) !== 'completed failed') await Bun.sleep(pollMs);
  const refund = { amount_usd: 0.001, reason: 'no use', request_id: paid };
  await manage('POST', `${account}/refunds`, refund);
  await manage('POST', `${account}/topups`, { amount_usd: 1, reason: 'test' });
  await manage('POST', `${account}/adjustments`, { amount_usd: -0.5, reason: 'test' });
}

async function jobsOf(manage: Stage['manage']): Promise<string> {
  const { jobs } = (await manage('GET', '/admin/v1/jobs')) as { jobs: { status: string }[] };
  const statuses = jobs.map(({ status }) => status);
  return statuses.toSorted().join(' ');
}
