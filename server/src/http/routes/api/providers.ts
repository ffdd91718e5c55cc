// GET /v1/providers.
import type { ProvidersResponse } from '@trivium/contract';
import { describeProviders } from '../../../upstream/index.ts';
import { overlapOf, type SearchContext } from '../../../search/index.ts';
import { compressedJson } from '../../compressed.ts';
import type { Route } from '../../route.ts';
import type { Mode } from '../../../settings/index.ts';

/** `auto` is the current order. */
export function describeAll(
  { providers, prices, overlap, settings }: SearchContext & { settings: { mode: Mode } },
  auto: ProvidersResponse['auto'],
): ProvidersResponse {
  return {
    mode: settings.mode,
    ...describeProviders(providers, prices, (id) => overlap && overlapOf(overlap, id)),
    auto,
  };
}

export function providerRoutes(describe: () => ProvidersResponse): Route[] {
  const send = compressedJson();
  return [
    {
      method: 'GET',
      path: '/v1/providers',
      report: true,
      handle: ({ request }) => send(request, JSON.stringify(describe())),
    },
  ];
}
