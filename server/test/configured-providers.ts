// The providers of a deployment for tests: those given, and all others not configured.
import { type ProviderId, providerIds } from '@trivium/contract';
import { providers } from '../src/providers/registry.ts';
import type { ConfiguredProvider, ConfiguredProviders } from '../src/upstream/context.ts';

export function providersWith(
  given: Readonly<Partial<Record<ProviderId, ConfiguredProvider>>>,
): ConfiguredProviders {
  return Object.fromEntries(
    providerIds.map((id) => [
      id,
      given[id] ?? { provider: providers[id], state: 'not_configured' as const },
    ]),
  ) as ConfiguredProviders;
}
