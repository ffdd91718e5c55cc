// Who sits on a fusion panel: the engines named or the curated ones, as far as they can run here.
import { default_fusion_panel, GatewayError } from '@trivium/contract';
import type { FusionOptions, SearchEngineId, Warning } from '@trivium/contract';
import { isReady } from './choose-provider.ts';
import type { Chosen } from './choose-provider.ts';
import type { House } from './house.ts';

export interface Panel {
  /** In the order asked for, which is what ties are decided by. */
  members: Chosen[];
  /** One for each member that was named and cannot run. */
  warnings: Warning[];
}

export function choosePanel(stations: House['stations'], named: FusionOptions['providers']): Panel {
  const wanted: readonly SearchEngineId[] = named ?? default_fusion_panel;
  const members = wanted.flatMap((id) => (isReady(stations[id]) ? [stations[id]] : []));
  const missing = wanted.filter((id) => !isReady(stations[id]));
  if (members.length === 0) throw noneLeft(stations, missing);
  // The curated panel is meant to shrink to what is configured; a panel of one is worth a word.
  const told = named === undefined && members.length > 1 ? [] : missing;
  return { members, warnings: told.map((id) => missingMember(id, reasonOf(stations, id))) };
}

function missingMember(id: SearchEngineId, reason: string): Warning {
  return {
    code: 'results_post_filtered',
    param: 'provider_options.fusion.providers',
    message: `${id}: not on the panel, because ${reason}.`,
  };
}

function noneLeft(stations: House['stations'], missing: readonly SearchEngineId[]): GatewayError {
  return new GatewayError(
    'provider_not_configured',
    'No member of the fusion panel can run on this deployment. ' +
      'Set the credential of at least one, or name engines that are configured.',
    { members: missing.map((id) => ({ provider: id, reason: reasonOf(stations, id) })) },
  );
}

function reasonOf(stations: House['stations'], id: SearchEngineId): string {
  return stations[id].state === 'disabled'
    ? 'it is switched off on this deployment'
    : 'it has no credential on this deployment';
}
