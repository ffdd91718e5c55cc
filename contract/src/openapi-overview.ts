// The endpoints of the OpenAPI document behind the dashboard's overview and its live pages.
import { ActivityQuery } from './activity.ts';
import * as examples from './admin-examples.ts';
import { adminOperation, busy, queryParameters } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { OverviewQuery } from './overview.ts';

export function overviewPaths(): Record<string, object> {
  return {
    '/admin/v1/overview': { get: adminOperation(readOverview) },
    '/admin/v1/activity': { get: adminOperation(readActivity) },
  };
}

const readOverview: AdminEndpoint = {
  id: 'readOverview',
  summary: 'Balance, requests, failures and latency of an account over a time range',
  description: 'Returns the figures of the overview page of the dashboard.',
  response: 'Overview',
  example: examples.overview,
  failures: [400, ...busy],
  parameters: queryParameters(OverviewQuery),
};

const readActivity: AdminEndpoint = {
  id: 'readActivity',
  summary: 'See whether something has happened on an account',
  description: 'Returns a version that changes with the requests, jobs and money of the account.',
  response: 'Activity',
  example: { version: '498541-2-0-14000-24986000-1763208129000' },
  failures: [400, ...busy],
  parameters: queryParameters(ActivityQuery),
};
