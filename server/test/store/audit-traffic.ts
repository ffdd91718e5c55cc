// A gateway on the sandbox after every kind of traffic, for the audit: searches, fusion, pages,
// jobs, replays, refunds and rejected requests.
import type { TestGateway } from '../gateway.ts';
import type { Engine } from './engines.ts';
import { openGatewayOnSandbox } from './gateway-on-store.ts';
import type { TestStore } from './store-pool.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

export interface AuditedGateway {
  store: TestStore;
  gateway: TestGateway;
  /** Calls the operator's API. */
  manage: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  sandboxUrl: string;
  /** Stops the gateway and keeps the store. */
  stopGateway: () => Promise<void>;
  discard: () => Promise<void>;
}

const account = '/accounts/acct_default';
const interview = 'https://recordings.example/interview.wav';

export async function openAuditedGateway(engine: Engine): Promise<AuditedGateway> {
  const on = await openGatewayOnSandbox(engine);
  const { gateway, store } = on;
  return {
    store,
    gateway,
    sandboxUrl: on.sandboxUrl,
    manage: async (method, path, body) => {
      const answer = await gateway.admin(method, path, body);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    stopGateway: on.stop,
    discard: async () => on[Symbol.asyncDispose](),
  };
}

/** Everything that moves money, or is free by a rule. */
export async function makeTraffic(audited: AuditedGateway): Promise<void> {
  const { gateway, manage } = audited;
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
  await disconnectEarly(audited);
  const once = { 'idempotency-key': 'searched-once' };
  for (const _try of [1, 2]) await post('/v1/search', { query: 'wind' }, 200, once);
  const jobOnce = { 'idempotency-key': 'transcribed-once' };
  const job = { audio_url: interview, provider: 'stt_a' };
  for (const _try of [1, 2]) await post('/v1/transcriptions', job, 202, jobOnce);
  await post(
    '/v1/transcriptions',
    { ...job, audio_url: 'https://recordings.example/missing.wav' },
    202,
  );
  await waitFor(() => jobsOf(manage), {
    what: 'both jobs end',
    until: (statuses) => statuses === 'completed failed',
  });
  const refund = { amount_usd: 0.001, reason: 'no use', request_id: paid };
  await manage('POST', `${account}/refunds`, refund);
  await manage('POST', `${account}/topups`, { amount_usd: 1, reason: 'test' });
  await manage('POST', `${account}/adjustments`, { amount_usd: -0.5, reason: 'test' });
  await makeTaggedTraffic(post, manage);
}

type Post = (path: string, body: object, expected?: number, headers?: object) => Promise<Response>;

/** Requests with tags, before and after one of their values gets a budget. */
async function makeTaggedTraffic(post: Post, manage: AuditedGateway['manage']): Promise<void> {
  const tags = { 'x-trivium-tags': 'team=search,run=1' };
  const search = () => post('/v1/search', { query: 'solar' }, 200, tags);
  const [first] = await Promise.all([search(), search(), search()]);
  const budget = { tag: 'team', value: 'search', daily_cap_usd: 1 };
  await manage('POST', `${account}/budgets`, budget);
  await manage('POST', `${account}/budgets`, { ...budget, value: 'broke', daily_cap_usd: 0 });
  await Promise.all([search(), search(), search()]);
  const once = { ...tags, 'idempotency-key': 'tagged-once' };
  for (const _try of [1, 2]) await post('/v1/search', { query: 'wind' }, 200, once);
  await post('/v1/extract', { urls: ['https://grid.example/storage'] }, 200, tags);
  await post('/v1/search', { query: 'solar' }, 402, { 'x-trivium-tags': 'team=broke' });
  const requestId = first?.headers.get('x-request-id');
  const refund = { amount_usd: 0.001, reason: 'no use', request_id: requestId };
  await manage('POST', `${account}/refunds`, refund);
}

async function jobsOf(manage: AuditedGateway['manage']): Promise<string> {
  const { jobs } = (await manage('GET', '/jobs')) as { jobs: { status: string }[] };
  const statuses = jobs.map(({ status }) => status);
  return statuses.toSorted().join(' ');
}

/** A caller that disconnects after the provider was called: it pays, and is logged with a 499. */
async function disconnectEarly({ gateway, manage, sandboxUrl }: AuditedGateway): Promise<void> {
  const control = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const given = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    return (await fetch(`${sandboxUrl}/__sandbox/${path}`, given)).json();
  };
  const calls = async () =>
    ((await control('calls?mount=%2Fexa')) as { calls: unknown[] }).calls.length;
  const before = await calls();
  await control('faults', { mount: '/exa', fault: 'slow', times: 1, delay_ms: 1000 });
  const client = new AbortController();
  const body = { query: 'tides', provider: 'engine_a' };
  const asked = gateway.ask('POST', '/v1/search', { body, signal: client.signal });
  const disconnected = asked.catch(() => 'disconnected');
  await waitFor(calls, { what: 'the provider is called', until: (now) => now > before });
  client.abort();
  if ((await disconnected) !== 'disconnected') throw new Error('The answer came too early.');
  const logged = async () =>
    (await manage('GET', '/requests?status=499')) as {
      requests: { cost_usd: number }[];
    };
  const { requests } = await waitFor(logged, {
    what: 'the request is logged',
    until: (log) => log.requests.length > 0,
  });
  const [{ cost_usd: cost } = { cost_usd: 0 }] = requests;
  if (cost === 0) throw new Error('The caller that disconnected did not pay.');
}
