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
  sandboxUrl: string;
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
    sandboxUrl: sandbox.url,
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
export async function makeTraffic(stage: Stage): Promise<void> {
  const { gateway, manage } = stage;
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
  await leaveEarly(stage);
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

/** A caller that hangs up once the provider was called: it pays, and is logged with a 499. */
async function leaveEarly({ gateway, manage, sandboxUrl }: Stage): Promise<void> {
  const control = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const given = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    return (await fetch(`${sandboxUrl}/__sandbox/${path}`, given)).json();
  };
  const calls = async () =>
    ((await control('calls?mount=%2Fexa')) as { calls: unknown[] }).calls.length;
  const before = await calls();
  await control('faults', { mount: '/exa', fault: 'slow', times: 1, delay_ms: 1000 });
  const leaving = new AbortController();
  const body = { query: 'tides', provider: 'engine_a' };
  const asked = gateway.ask('POST', '/v1/search', { body, signal: leaving.signal });
  const left = asked.catch(() => 'left');
  while ((await calls()) === before) await Bun.sleep(pollMs);
  leaving.abort();
  if ((await left) !== 'left') throw new Error('The caller was answered before it left.');
  const logged = async () =>
    (await manage('GET', '/admin/v1/requests?status=499')) as {
      requests: { cost_usd: number }[];
    };
  while ((await logged()).requests.length === 0) await Bun.sleep(pollMs);
  const [{ cost_usd: cost } = { cost_usd: 0 }] = (await logged()).requests;
  if (cost === 0) throw new Error('The caller that left did not pay.');
}
