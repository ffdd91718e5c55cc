// GET /v1/providers.
import { describeProviders } from '../../services/describe-providers.ts';
import type { House } from '../../services/house.ts';
import type { Route } from '../app.ts';
import { jsonText } from '../json-text.ts';

export function providerRoutes(house: House): Route[] {
  const describe = () => JSON.stringify(describeProviders(house.stations, house.prices));
  return [{ method: 'GET', path: '/v1/providers', handle: () => jsonText(describe()) }];
}
