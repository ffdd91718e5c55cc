// Chooses the provider of a request: the one that is named, or the first configured and healthy
// one in the operator's order.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { isWell } from './guard.ts';
import type { ConfiguredProvider, ConfiguredProviders } from './configured-providers.ts';

/** A configured provider that can be called. */
export type ReadyProvider = ConfiguredProvider & {
  upstream: NonNullable<ConfiguredProvider['upstream']>;
};

/** The products a provider may have. */
export type Tool = 'search' | 'extract' | 'transcribe';

export function chooseProvider(
  providers: ConfiguredProviders,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  accountId = '',
): ReadyProvider {
  if (asked !== 'auto') return named(providers, tool, asked);
  const [first] = readyInOrder(providers, order, accountId);
  if (first) return first;
  throw new GatewayError(
    'provider_not_configured',
    'No provider for this tool is configured on this deployment. ' +
      'Set the credential of at least one, or run with TRIVIUM_SANDBOX=on.',
    { tried: order },
  );
}

/** The providers `auto` may choose, in order; those whose circuit is open for it come last. */
export function readyInOrder<Id extends ProviderId>(
  providers: Pick<ConfiguredProviders, Id>,
  order: readonly Id[],
  accountId = '',
): ReadyProvider[] {
  const ready = order.map((id): ConfiguredProvider => providers[id]).filter(isReady);
  const well = ready.filter(({ guard }) => !guard || isWell(guard, accountId));
  return well.length === ready.length
    ? ready
    : [...well, ...ready.filter((one) => !well.includes(one))];
}

export function isReady(configured: ConfiguredProvider): configured is ReadyProvider {
  return configured.state === 'configured' && configured.upstream !== undefined;
}

function named(providers: ConfiguredProviders, tool: Tool, id: ProviderId): ReadyProvider {
  const asked = providers[id];
  if (isReady(asked)) return asked;
  const configured = Object.values(providers)
    .filter((other) => isReady(other) && other.provider[tool] !== undefined)
    .map((other) => other.provider.id);
  if (asked.state === 'disabled') {
    throw new GatewayError(
      'provider_not_available',
      `${id} is switched off on this deployment.`,
      { provider: id, configured },
      // The API documents a 501 only for search.
      tool === 'search' ? {} : { status: 503 },
    );
  }
  throw new GatewayError(
    'provider_not_configured',
    `${id} has no credential on this deployment. ` +
      `Set ${asked.provider.credential.env[0]}, or ask another provider.`,
    { provider: id, configured },
  );
}
