// A gateway on a fresh store with its upstream, for one test or for all tests of a block.
import { afterAll, beforeAll } from 'bun:test';
import { Balance } from '@trivium/contract';
import { startSandbox } from '@trivium/sandbox';
import { vendorSettings } from '../../../e2e/vendor-settings.ts';
import { type ExaUpstream, found, startExa } from '../exa-upstream.ts';
import { openGateway, type TestGateway } from '../gateway.ts';
import type { Engine } from './engines.ts';
import type { TestStore } from './store-pool.ts';

export interface GatewayOnStore extends AsyncDisposable {
  /** The one that the key belongs to. */
  account: string;
  exa: ExaUpstream;
  gateway: TestGateway;
  store: TestStore;
}

export async function openGatewayOnStore(
  engine: Engine,
  balanceUsd: string,
  env = {},
): Promise<GatewayOnStore> {
  const exa = startExa();
  const store = await engine.open('migrated');
  const gateway = await openGateway(exa.url, {
    ...store.settings,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: balanceUsd,
    ...env,
  });
  return {
    account: 'acct_default',
    exa,
    gateway,
    store,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      exa[Symbol.dispose]();
      await store.discard();
    },
  };
}

export interface GatewayOnSandbox extends AsyncDisposable {
  sandboxUrl: string;
  gateway: TestGateway;
  store: TestStore;
  /** Stops the gateway and keeps the store. */
  stop: () => Promise<void>;
  /** Starts the gateway again, with other settings. */
  restart: (env: Record<string, string>) => Promise<TestGateway>;
}

/** All vendors are those of a sandbox. */
export async function openGatewayOnSandbox(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<GatewayOnSandbox> {
  const sandbox = await startSandbox();
  const store = await engine.open('migrated');
  const start = (more: Record<string, string>) =>
    openGateway(`${sandbox.url}/exa`, {
      ...vendorSettings(sandbox.url),
      ...store.settings,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '5',
      ...more,
    });
  let isRunning = true;
  const on: GatewayOnSandbox = {
    ...{ sandboxUrl: sandbox.url, store, gateway: await start(env) },
    stop: async () => {
      if (isRunning) await on.gateway[Symbol.asyncDispose]();
      isRunning = false;
    },
    restart: async (more) => {
      await on.stop();
      on.gateway = await start(more);
      isRunning = true;
      return on.gateway;
    },
    [Symbol.asyncDispose]: async () => {
      await on.stop();
      await sandbox.stop();
      await store.discard();
    },
  };
  return on;
}

export async function balance(gateway: TestGateway): Promise<Balance> {
  return Balance.parse(await (await gateway.ask('GET', '/v1/balance')).json());
}

/**
 * One gateway for all tests of a block, with a separate account and balance for each test, because
 * a start takes more time than most of these tests.
 */
export function sharedGatewayOnStore(
  engine: Engine,
): (balanceUsd: string) => Promise<GatewayOnStore> {
  let shared: GatewayOnStore | undefined;
  beforeAll(async () => {
    shared = await openGatewayOnStore(engine, '0');
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());
  return async (balanceUsd) => {
    if (!shared) throw new Error('The gateway exists only while the tests run.');
    const { exa, gateway } = shared;
    const usd = Number(Number(balanceUsd).toFixed(6));
    const { id, key } = await gateway.newAccount({}, {}, usd);
    const ask: TestGateway['ask'] = (method, path, more = {}) => {
      const headers = { authorization: `Bearer ${key}`, ...more.headers };
      return gateway.ask(method, path, { ...more, headers });
    };
    const search: TestGateway['search'] = (headers = {}, body = { query: 'solar' }) =>
      ask('POST', '/v1/search', { headers, body });
    exa.answer(() => found());
    const before = exa.calls();
    return {
      ...shared,
      account: id,
      exa: { ...exa, calls: () => exa.calls() - before },
      gateway: { ...gateway, key, ask, search },
      // The block disposes of it.
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
}
