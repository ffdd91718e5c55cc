// What planning and making calls needs, for tests: list prices, no provider unless one is given, and
// the settings of a gateway that sets none.
import { systemClock } from '../src/platform/clock.ts';
import { makeLog } from '../src/platform/log.ts';
import { listPrices, providers } from '../src/providers/registry.ts';
import { readSettings } from '../src/settings/settings.ts';
import type { UpstreamContext } from '../src/upstream/context.ts';
import { providersWith } from './configured-providers.ts';

const settings = {
  ...readSettings({ TRIVIUM_SANDBOX: 'on' }, Object.values(providers)),
  max_request_usd: 10,
  provider_queue_ms: 2000,
};

export function upstreamContext(
  given: Pick<UpstreamContext, 'send'> & Partial<UpstreamContext>,
): UpstreamContext {
  return {
    settings,
    clock: systemClock,
    log: makeLog('silent'),
    prices: listPrices,
    providers: providersWith({}),
    ...given,
  };
}
