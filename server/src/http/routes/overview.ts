// What an operator reads beyond the reports: the dashboard's first page, the jobs, the providers'
// records, and whether memory and store agree.
import { JobQuery, OverviewQuery } from '@trivium/contract';
import type { z } from 'zod';
import { auditMemory } from '../../services/audit-memory.ts';
import { checkProvider } from '../../services/check-provider.ts';
import type { House } from '../../services/house.ts';
import { readJobs } from '../../services/list-jobs.ts';
import { readOverview, readProviderRecords } from '../../services/overview.ts';
import type { Route } from '../app.ts';
import { validate } from '../body.ts';

export function overviewRoutes(house: House): Route[] {
  return [
    {
      method: 'GET',
      path: '/admin/v1/overview',
      operator: true,
      handle: async ({ request }) =>
        Response.json(await readOverview(house, queryOf(request, OverviewQuery))),
    },
    {
      method: 'GET',
      path: '/admin/v1/audit',
      operator: true,
      handle: async () => Response.json(await auditMemory(house)),
    },
    {
      method: 'GET',
      path: '/admin/v1/jobs',
      operator: true,
      handle: async ({ request }) =>
        Response.json(await readJobs(house, queryOf(request, JobQuery))),
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

function queryOf<T>(request: Request, schema: z.ZodType<T>): T {
  return validate(schema, Object.fromEntries(new URL(request.url).searchParams));
}
