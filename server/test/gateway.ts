// A gateway inside the test's own process, on a given store and with one upstream as engine_a.
import { readSettings } from '../src/settings/settings.ts';
import { providers } from '../src/providers/registry.ts';
import { startGateway } from '../src/app/start.ts';

export interface TestGateway extends AsyncDisposable {
  url: string;
  key: string;
  /** Everything it printed. */
  printed: string;
  search: (headers?: Record<string, string>, body?: object) => Promise<Response>;
  ask: (method: string, path: string, more?: Ask) => Promise<Response>;
  /** A call of the operator, to a path below `/admin/v1`. */
  admin: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  metrics: () => Promise<string>;
  /** A new account with money, and a key of it. */
  newAccount: (
    account?: object,
    key?: object,
    usd?: number,
  ) => Promise<{ id: string; key: string }>;
}

export interface Ask {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export const bootstrapKey = `sk_live_${'k'.repeat(43)}`;
const upstreamKey = 'upstream-key-of-the-tests';
export const adminToken = 'operator-token-of-the-tests-0123456789';

export async function openGateway(
  upstreamUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<TestGateway> {
  let printed = '';
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: bootstrapKey,
    TRIVIUM_ADMIN_TOKEN: adminToken,
    EXA_API_KEY: upstreamKey,
    EXA_BASE_URL: upstreamUrl,
    ...settings,
  };
  const read = readSettings(env, Object.values(providers));
  const gateway = await startGateway(read, (text) => (printed += text));
  const ask: TestGateway['ask'] = async (method, path, { body, headers, signal } = {}) => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer ${bootstrapKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.clone().text();
    if ((text + printed).includes(upstreamKey)) throw new Error(`${path} tells a credential.`);
    return response;
  };
  const operator = { authorization: `Bearer ${adminToken}` };
  const admin: TestGateway['admin'] = (method, path, body, headers) =>
    ask(method, `/admin/v1${path}`, { body, headers: { ...operator, ...headers } });
  const make = async (path: string, body: object) => {
    const made = await admin('POST', path, body);
    if (!made.ok) throw new Error(`${path}: ${await made.text()}`);
    return (await made.json()) as { id: string; key: string };
  };
  return {
    url: gateway.url,
    key: bootstrapKey,
    printed,
    ask,
    admin,
    metrics: async () => (await ask('GET', '/metrics', { headers: operator })).text(),
    newAccount: async (account = {}, key = {}, usd = 1) => {
      const { id } = await make('/accounts', { name: 'One', ...account });
      await make(`/accounts/${id}/topups`, { amount_usd: usd, reason: 'test' });
      return { id, key: (await make(`/accounts/${id}/keys`, { name: 'one', ...key })).key };
    },
    search: (headers = {}, body = { query: 'solar' }) =>
      ask('POST', '/v1/search', { headers, body }),
    [Symbol.asyncDispose]: gateway.stop,
  };
}
