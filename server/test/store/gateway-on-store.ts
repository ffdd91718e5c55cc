// A gateway on a fresh store with its upstream, for one test.
import { Balance } from '@trivium/contract';
import { startExa } from '../exa-upstream.ts';
import type { ExaUpstream } from '../exa-upstream.ts';
import { openGateway } from '../gateway.ts';
import type { TestGateway } from '../gateway.ts';
import type { TestStore, Engine } from './engines.ts';

export interface GatewayOnStore extends AsyncDisposable {
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

export async function balance(gateway: TestGateway): Promise<Balance> {
  return Balance.parse(await (await gateway.ask('GET', '/v1/balance')).json());
}
