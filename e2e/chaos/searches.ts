// What chaos over money shares: a provider of one price that takes its time, and a gateway before
// it that can pay for all of it.
import { randomInt } from 'node:crypto';
import type { GatewayOptions } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import type { Upstream } from '../upstream.ts';

export const priceUsd = 0.007;
export const openingUsd = 1000;

export function startSearches() {
  return startUpstream(async () => {
    await Bun.sleep(randomInt(20));
    const results = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];
    return exaAnswer(results, priceUsd);
  });
}

export function optionsOver(upstream: Upstream, balanceUsd = openingUsd): GatewayOptions {
  return {
    env: {
      ...upstream.env,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: String(balanceUsd),
      LOG_LEVEL: 'silent',
    },
  };
}
