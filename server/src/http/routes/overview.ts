// What an operator reads beyond the reports: the dashboard's first page, the jobs, the providers'
// records, and whether memory and store agree.
import { JobQuery, OverviewQuery } from '@trivium/contract';
import { auditMemory } from '../../services/audit-memory.ts';
import { checkProvider } from '../../services/check-provider.ts';
import type { House } from '../../services/house.ts';
import { readJobs } from '../../services/list-jobs.ts';
import { readOverview, readProviderRecords } from '../../services/overview.ts';
import type { Route } from '../app.ts';
import { admin, report, shown } from './admin.ts';

export function overviewRoutes(house: House): Route[] {
  return [
    report('/overview', OverviewQuery, (query) => readOverview(house, query)),
    report('/jobs', JobQuery, (query) => readJobs(house, query)),
    admin('GET', '/audit', { scope: 'gateway', handle: () => shown(auditMemory(house)) }),
    admin('GET', '/provider-records', {
      scope: 'gateway',
      handle: () => shown(readProviderRecords(house)),
    }),
    admin('POST', '/providers/:id/check', {
      scope: 'gateway',
      handle: ({ id }) => shown(checkProvider(house, id)),
    }),
  ];
}
