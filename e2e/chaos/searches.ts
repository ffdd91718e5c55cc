// Shared by the billing chaos tests: a slow provider with one price, and the settings of a gateway
// with enough balance.
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
