// A gateway on a fresh store with its upstream, for one test, and what tests often ask of it.
import { Balance } from '@trivium/contract';
import { startExa } from '../exa-upstream.ts';
import type { ExaUpstream } from '../exa-upstream.ts';
import { openGateway } from '../gateway.ts';
import type { TestGateway } from '../gateway.ts';
import type { Bench, Engine } from './engines.ts';

export interface Place extends AsyncDisposable {
  exa: ExaUpstream;
  gateway: TestGateway;
  bench: Bench;
}

export async function openPlace(engine: Engine, balance_usd: string, env = {}): Promise<Place> {
  const exa = startExa();
  const bench = await engine.open();
  const gateway = await openGateway(exa.url, {
    ...bench.settings,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: balance_usd,
    ...env,
  });
  return {
    exa,
    gateway,
    bench,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      exa[Symbol.dispose]();
      await bench.discard();
    },
  };
}

export async function balance(gateway: TestGateway): Promise<Balance> {
  return Balance.parse(await (await gateway.ask('GET', '/v1/balance')).json());
}

const patience_ms = 5000;
const poll_ms = 20;

export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += poll_ms) {
    if (await holds()) return;
    await Bun.sleep(poll_ms);
  }
  throw new Error('it never came true');
}
