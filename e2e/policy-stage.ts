// Gateways with a vendor under the control of the test, for tests of policies: one on SQLite, two
// on PostgreSQL.
import { afterAll, beforeAll } from 'bun:test';
import { Account, NewKey } from '@trivium/contract';
import { createDatabase } from './database.ts';
import { startGateway } from './harness.ts';
import type { Gateway } from './harness.ts';
import type { Answer } from './http-client.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { ErrorAnswer } from './shapes.ts';
import { exaAnswer, startUpstream, upstreamKey } from './upstream.ts';
import type { Received } from './upstream.ts';

const limitMs = 120_000;
const token = 'operator-token-of-the-tests-0123456789';
const secret = 'one secret for both gateways of this test';

/** What engine_a finds: the first, third and fourth are pages of blocked.example. */
const hits = [
  'https://www.blocked.example/one',
  'https://good.example/two',
  'https://www.google.com/url?q=https://blocked.example/three',
  'https://sub.Blocked.example:8443/four',
  'https://other.example/five',
];

export const question = { query: 'tides', provider: 'engine_a' };
/** The second is blocked. */
export const pages = ['https://good.example/page', 'https://WWW.blocked.example./page'];

interface Limited {
  account: Account;
  /** The id of the key. */
  id: string;
  headers: { authorization: string };
  post: (path: string, body: object, at?: Gateway, more?: object) => Promise<Answer>;
}

export interface PolicyStage {
  gateway: Gateway;
  /** A second gateway on the same store; the same one on SQLite. */
  other: Gateway;
  /** What the vendor of engine_a received. */
  received: Received[];
  /** The vendor does not answer until the returned function is called. */
  pause: () => () => void;
  admin: (method: string, path: string, body?: object) => Promise<Answer>;
  /** A new account with 5 USD, with its policy and with the policy of its key. */
  make: (ofAccount?: object, ofKey?: object) => Promise<Limited>;
  /** Another key of an account. */
  addKey: (account: Account, policy?: object) => Promise<Omit<Limited, 'account'>>;
  balanceOf: (account: Account) => Promise<number>;
}

/** Started before the first test of a block, and stopped after the last. */
export function policyStage(engine: string): () => PolicyStage {
  const stop = new AsyncDisposableStack();
  let stage: PolicyStage | undefined;
  beforeAll(async () => {
    stage = await openStage(stop, engine === 'PostgreSQL');
  }, limitMs);
  afterAll(() => stop.disposeAsync(), limitMs);
  return () => {
    if (stage === undefined) throw new Error('The stage exists only while tests run.');
    return stage;
  };
}

async function openStage(stop: AsyncDisposableStack, isShared: boolean): Promise<PolicyStage> {
  let paused: Promise<void> | undefined;
  const upstream = stop.use(
    startUpstream(async (request) => {
      await paused;
      return request.path === '/contents' ? contents(request.body) : exaAnswer(hits.map(hit));
    }),
  );
  const { gateway, other } = await openGateways(stop, upstream.url, isShared);
  const admin: PolicyStage['admin'] = (method, path, body) =>
    gateway.ask(method, `/admin/v1${path}`, body, { authorization: `Bearer ${token}` });
  const addKey: PolicyStage['addKey'] = async (account, policy = {}) => {
    const made = await admin('POST', `/accounts/${account.id}/keys`, { name: 'k', ...policy });
    const { key, id } = NewKey.parse(made.body);
    const headers = { authorization: `Bearer ${key}` };
    return {
      id,
      headers,
      post: (path, body, at = gateway, more = {}) => at.post(path, body, { ...headers, ...more }),
    };
  };
  return {
    gateway,
    other,
    received: upstream.received,
    pause: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      paused = promise;
      return () => {
        paused = undefined;
        resolve();
      };
    },
    admin,
    addKey,
    make: async (ofAccount = {}, ofKey = {}) => {
      const made = await admin('POST', '/accounts', { name: 'Limited', ...ofAccount });
      const account = Account.parse(made.body);
      await admin('POST', `/accounts/${account.id}/topups`, { amount_usd: 5, reason: 'test' });
      return { account, ...(await addKey(account, ofKey)) };
    },
    balanceOf: async ({ id }) =>
      Account.parse((await admin('GET', `/accounts/${id}`)).body).balance_usd,
  };
}

async function openGateways(stop: AsyncDisposableStack, vendor: string, isShared: boolean) {
  const sandbox = stop.use(await startSandboxProcess());
  const database = isShared ? stop.use(await createDatabase()) : undefined;
  const options = {
    sandbox: sandbox.url,
    ...(database ? { database_url: database.url } : {}),
    env: {
      TRIVIUM_ADMIN_TOKEN: token,
      TRIVIUM_SECRET: secret,
      EXA_API_KEY: upstreamKey,
      EXA_BASE_URL: vendor,
    },
  };
  const gateway = stop.use(await startGateway(options));
  const env = { ...options.env, TRIVIUM_BOOTSTRAP_KEY: gateway.key };
  const other = database ? stop.use(await startGateway({ ...options, env })) : gateway;
  return { gateway, other };
}

function hit(url: string, at: number) {
  return { id: url, url, title: `Hit ${at}`, highlights: ['tides'], text: 'tides' };
}

/** An extraction answer of the vendor; the page `moved` leads to a blocked domain. */
function contents(body: unknown): Response {
  const { urls } = body as { urls: string[] };
  return Response.json({
    requestId: '4f1c0d9a5b7e4c2f8a6d3e1b0c9f7a53',
    results: urls.map((url, at) => ({
      ...hit(url, at),
      ...(url.endsWith('/moved') ? { url: 'https://blocked.example/there' } : {}),
    })),
    statuses: urls.map((id) => ({ id, status: 'success' })),
    costDollars: { total: 0.001 * urls.length },
  });
}

export function issuesOf(body: unknown): { path: string; code: string }[] {
  const { detail } = ErrorAnswer.parse(body).error;
  return (detail as { issues: { path: string; code: string }[] }).issues;
}
