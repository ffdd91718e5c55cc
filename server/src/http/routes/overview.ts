// What the dashboard reads beyond the operator's reports: its first page and the providers' health.
import { OverviewQuery } from '@trivium/contract';
import { checkProvider } from '../../services/check-provider.ts';
import type { House } from '../../services/house.ts';
import { readOverview, readProviderRecords } from '../../services/overview.ts';
import type { Route } from '../app.ts';
import { validate } from '../body.ts';

export function overviewRoutes(house: House): Route[] {
  return [
    {
      method: 'GET',
      path: '/admin/v1/overview',
      operator: true,
      handle: async ({ request }) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        return Response.json(await readOverview(house, validate(OverviewQuery, query)));
      },
    },
    {
      method: 'GET',
      path: '/admin/v1/provider-records',
      operator: true,
      handle: async () => Response.json(await readProviderRecords(house)),
    },
    {
      method: 'POST',
      path: '/admin/v1/providers/:id/check',
      operator: true,
      handle: async ({ params }) => Response.json(await checkProvider(house, params['id'] ?? '')),
    },
  ];
}
