// GET /v1/balance.
import { readBalance } from '../../services/balance.ts';
import type { House } from '../../services/house.ts';
import type { Route } from '../app.ts';

export function accountRoutes(house: House): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/balance',
      handle: async ({ caller }) => Response.json(await readBalance(house, caller)),
    },
  ];
}
