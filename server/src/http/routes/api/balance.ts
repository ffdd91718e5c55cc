// GET /v1/balance.
import { readBalance } from '../../../billing/balance.ts';
import type { BalanceContext } from '../../../billing/context.ts';
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
