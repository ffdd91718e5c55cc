// GET /v1/balance.
import { type BalanceContext, readBalance } from '../../../billing/index.ts';
import type { Route } from '../../route.ts';

export function accountRoutes(context: BalanceContext): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/balance',
      handle: async ({ caller }) => Response.json(await readBalance(context, caller)),
    },
  ];
}
