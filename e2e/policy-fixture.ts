// Gateways with a vendor under the control of the test, for tests of policies: one on SQLite, two
// on PostgreSQL.
import { Account, NewKey } from '@trivium/contract';
import { shared, startPair } from './harness.ts';
import type { Engine, Gateway, GatewayPair } from './harness.ts';
import type { Answer } from './http-client.ts';
import { startTestSandbox } from './test-sandbox.ts';
import { ErrorAnswer } from './shapes.ts';
import { exaAnswer, startUpstream, upstreamKey } from './upstream.ts';
import type { Received } from './upstream.ts';

const token = 'operator-token-of-the-tests-0123456789';

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

export interface PolicyFixture extends GatewayPair {
  /** What the vendor of engine_a received. */
  received: Received[];
  admin: (method: string, path: string, body?: object) => Promise<Answer>;
  /** A new account with 5 USD, with its policy and with the policy of its key. */
  make: (ofAccount?: object, ofKey?: object) => Promise<Limited>;
  /** Another key of an account. */
  addKey: (account: Account, policy?: object) => Promise<Omit<Limited, 'account'>>;
  balanceOf: (account: Account) => Promise<number>;
}

/** For all tests of a block. */
export function policyFixture(engine: Engine): () => PolicyFixture {
  return shared(() => openFixture(engine));
}

async function openFixture(engine: Engine): Promise<PolicyFixture> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(
    startUpstream(({ path, body }) =>
      path === '/contents' ? contents(body) : exaAnswer(hits.map(hit)),
    ),
  );
  const sandbox = stack.use(await startTestSandbox());
  const { gateway, other } = stack.use(
    await startPair(engine, {
      sandbox: sandbox.url,
      env: {
        TRIVIUM_ADMIN_TOKEN: token,
        EXA_API_KEY: upstreamKey,
        EXA_BASE_URL: upstream.url,
      },
    }),
  );
  const admin: PolicyFixture['admin'] = (method, path, body) =>
    gateway.ask(method, `/admin/v1${path}`, body, { authorization: `Bearer ${token}` });
  const addKey: PolicyFixture['addKey'] = async (account, policy = {}) => {
    const made = await admin('POST', `/accounts/${account.id}/keys`, { name: 'k', ...policy });
    const { key, id } = NewKey.parse(made.body);
    const headers = { authorization: `Bearer ${key}` };
    return {
      id,
      headers,
      post: (path, body, at = gateway, more = {}) => at.post(path, body, { ...headers, ...more }),
    };
  };
  const stop = stack.move();
  return {
    gateway,
    other,
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
    received: upstream.received,
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
