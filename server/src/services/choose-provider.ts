// Chooses who serves: the provider named, or the first configured and healthy one in the
// operator's order.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { isWell } from './guard.ts';
import type { House, Station } from './house.ts';

/** A station that can be called. */
export type Chosen = Station & { upstream: NonNullable<Station['upstream']> };

/** What a provider is asked for; each has a product of its own, or lacks it. */
export type Tool = 'search' | 'extract' | 'transcribe';

export function chooseProvider(
  stations: House['stations'],
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
): Chosen {
  if (asked !== 'auto') return named(stations, tool, asked);
  const [first] = readyInOrder(stations, order);
  if (first) return first;
  throw new GatewayError(
    'provider_not_configured',
    'No provider for this tool is configured on this deployment. ' +
      'Set the credential of at least one, or run with TRIVIUM_SANDBOX=on.',
    { tried: order },
  );
}

/** Whom `auto` may ask, the first choice first: those that are left alone just now come last. */
export function readyInOrder(stations: House['stations'], order: readonly ProviderId[]): Chosen[] {
  const ready = order.map((id) => stations[id]).filter(isReady);
  const well = ready.filter(({ guard }) => !guard || isWell(guard));
  return well.length === ready.length
    ? ready
    : [...well, ...ready.filter((one) => !well.includes(one))];
}

export function isReady(station: Station): station is Chosen {
  return station.state === 'configured' && station.upstream !== undefined;
}

function named(stations: House['stations'], tool: Tool, id: ProviderId): Chosen {
  const station = stations[id];
  if (isReady(station)) return station;
  const configured = Object.values(stations)
    .filter((other) => isReady(other) && other.provider[tool] !== undefined)
    .map((other) => other.provider.id);
  if (station.state === 'disabled') {
    throw new GatewayError(
      'provider_not_available',
      `${id} is switched off on this deployment.`,
      { provider: id, configured },
      // Of the documented statuses, only those of search have a 501.
      tool === 'search' ? {} : { status: 503 },
    );
  }
  throw new GatewayError(
    'provider_not_configured',
    `${id} has no credential on this deployment. ` +
      `Set ${station.provider.credential.env[0]}, or ask another provider.`,
    { provider: id, configured },
  );
}
