// GET /v1/providers.
import type { ProvidersResponse } from '@trivium/contract';
import { describeProviders } from '../../../upstream/describe-providers.ts';
import type { SearchContext } from '../../../search/context.ts';
import { overlapOf } from '../../../search/overlap-counts.ts';
import { jsonText } from '../../json-text.ts';
import type { Route } from '../../route.ts';

/** `describeAuto` returns the order of `auto` at this moment. */
export function providerRoutes(
  context: SearchContext,
  describeAuto: () => ProvidersResponse['auto'],
): Route[] {
  const { providers, prices, overlap } = context;
  const describe = () =>
    JSON.stringify({
      ...describeProviders(providers, prices, (id) => overlap && overlapOf(overlap, id)),
      auto: describeAuto(),
    });
  return [{ method: 'GET', path: '/v1/providers', handle: () => jsonText(describe()) }];
}
