// The members of a fusion panel: the engines that the caller names, or the default ones, as far as
// they are available on this deployment.
import { defaultFusionPanel, GatewayError } from '@trivium/contract';
import type { FusionOptions, SearchEngineId, Warning } from '@trivium/contract';
import { type ConfiguredProviders, isReady, type ReadyProvider } from '../upstream/index.ts';
import { checkProviders } from '../requests/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';

export interface Panel {
  /** In the requested order, which breaks ties. */
  members: ReadyProvider[];
  /** One for each requested member that is not available. */
  warnings: Warning[];
}

export function choosePanel(
  providers: ConfiguredProviders,
  named: FusionOptions['providers'],
  policy: RequestPolicy | undefined,
): Panel {
  const wanted: readonly SearchEngineId[] = named ?? defaultFusionPanel;
  const isAllowed = (id: SearchEngineId) => policy?.providers?.includes(id) ?? true;
  const ready = wanted.filter((id) => isReady(providers[id]));
  const allowed = ready.filter(isAllowed);
  const members = allowed.map((id) => providers[id]).filter(isReady);
  const missing = wanted.filter((id) => !isReady(providers[id]));
  if (members.length === 0) {
    checkProviders(policy, ready);
    throw emptyPanelError(providers, missing);
  }
  const refused = ready.filter((id) => !isAllowed(id));
  // The default panel is reduced to the configured engines. That is worth a warning only if just
  // one remains.
  const reported = named === undefined && members.length > 1 ? [] : missing;
  return {
    members,
    warnings: [
      ...reported.map((id) => missingMember(id, reasonOf(providers, id))),
      ...refused.map((id) => missingMember(id, 'the policy of this account or key excludes it')),
    ],
  };
}

function missingMember(id: SearchEngineId, reason: string): Warning {
  return {
    code: 'results_post_filtered',
    param: 'provider_options.fusion.providers',
    message: `${id}: not on the panel, because ${reason}.`,
  };
}

function emptyPanelError(
  providers: ConfiguredProviders,
  missing: readonly SearchEngineId[],
): GatewayError {
  return new GatewayError(
    'provider_not_configured',
    'No member of the fusion panel can run on this deployment. ' +
      'Set the credential of at least one, or name engines that are configured.',
    { members: missing.map((id) => ({ provider: id, reason: reasonOf(providers, id) })) },
  );
}

function reasonOf(providers: ConfiguredProviders, id: SearchEngineId): string {
  return providers[id].state === 'disabled'
    ? 'it is disabled on this deployment'
    : 'it has no credential on this deployment';
}
