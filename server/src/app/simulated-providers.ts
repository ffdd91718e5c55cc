// Follows which providers of a live gateway are simulated: the answers of a sandbox say so. The gateway
// looks only at answers from addresses that the operator has set.
import type { ProviderDescription } from '@trivium/contract';
import { every, type Repeated } from '../platform/every.ts';
import { noteSimulated, readSimulated, type SimulatedPeriods } from '../requests/index.ts';
import { iso } from '../store/index.ts';
import type { AppContext } from './context.ts';

const everyMs = 1000;
/** How often what other gateways have seen is read. */
const readEveryMs = 10_000;

type Parts = Pick<AppContext, 'database' | 'clock' | 'log' | 'providers' | 'settings'>;

export interface SimulatedProviders extends Repeated {
  periodsOf: (provider: string) => ProviderDescription['simulated'];
}

export async function followSimulated(parts: Parts): Promise<SimulatedProviders> {
  const { database, clock, log, providers, settings } = parts;
  let periods: SimulatedPeriods = await readSimulated(database.reader);
  let readAt = clock.ticks();
  // An address does not change while a process runs.
  const since = clock.now().getTime();
  const noted = new Set<string>();
  const work = async () => {
    if (settings.mode === 'sandbox') return;
    for (const { provider, state, upstream, guard } of Object.values(providers)) {
      const isSimulated = upstream?.overridden ? guard?.simulated : false;
      if (state !== 'configured' || isSimulated === undefined || noted.has(provider.id)) continue;
      const isKnown = isSimulated || periods[provider.id] !== undefined;
      if (isKnown) {
        periods = await noteSimulated(database, { provider: provider.id, isSimulated, since });
      }
      noted.add(provider.id);
    }
    if (clock.ticks() - readAt < readEveryMs) return;
    readAt = clock.ticks();
    periods = await readSimulated(database.reader);
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'it was not stored which providers are simulated');
  return {
    ...every(everyMs, { name: 'simulated_providers', work, onError }),
    periodsOf: (provider) => {
      const own = periods[provider];
      return own?.map(([from, until]) => ({ started_at: iso(from), ended_at: iso(until) }));
    },
  };
}
