// The reports of the admin API: the overview, jobs, provider records and checks, the cache, the audit
// log, the audit of the gateway's memory, and the settings.
import { version } from '@trivium/contract';
import type { SettingsView } from '@trivium/contract';
import { exportAudit, readAudit } from '../../../audit/index.ts';
import { auditMemory } from '../../../billing/index.ts';
import { readJobs } from '../../../transcription/index.ts';
import { readActivity, readOverview } from '../../../reporting/index.ts';
import { readProviderHours, readProviderRecords } from '../../../requests/index.ts';
import { readScorecard } from '../../../quality/index.ts';
import { prefers, prefersCsv, scorecardCsv } from '../../csv.ts';
import { admin } from '../rows.ts';
import type { Route } from '../../route.ts';
import type { HttpContext } from '../../context.ts';

const jsonLines = 'application/x-ndjson';

export function reportRoutes(context: HttpContext): Route[] {
  const { mode, displayed } = context.settings;
  const settings = (): SettingsView => ({
    ...{ version, mode, store: context.database.engine },
    settings: [...displayed],
  });
  const ofGateway = { scope: 'gateway', booked: true } as const;
  const ofQuery = { scope: 'account_in_query', booked: true } as const;
  return [
    admin('GET', '/overview', ofQuery, ({ filter }) => readOverview(context, filter)),
    admin('GET', '/activity', ofQuery, ({ filter }) => readActivity(context, filter)),
    admin('GET', '/attention', ofQuery, ({ filter, is_operator }) =>
      context.readAttention(filter.account_id, is_operator),
    ),
    admin('GET', '/jobs', ofQuery, ({ filter }) => readJobs(context, filter)),
    admin('GET', '/scorecard', ofQuery, async ({ filter: { format, ...wanted }, request }) => {
      const scorecard = await readScorecard(context, wanted);
      return prefersCsv(request, format) ? scorecardCsv(scorecard) : scorecard;
    }),
    admin('GET', '/cache', ofGateway, () => context.cache.status()),
    admin('DELETE', '/cache', ofGateway, ({ filter, by }) =>
      context.cache.clear(by, filter.account_id),
    ),
    admin('GET', '/audit', ofQuery, async ({ filter, request }) =>
      prefers(request, jsonLines)
        ? new Response(await exportAudit(context, filter), {
            headers: { 'content-type': jsonLines },
          })
        : readAudit(context, filter),
    ),
    admin('GET', '/books', ofGateway, () => auditMemory(context)),
    admin('GET', '/provider-records', ofGateway, () => readProviderRecords(context)),
    admin('GET', '/providers/:id/hours', ofGateway, ({ id }) => readProviderHours(context, id)),
    admin('GET', '/settings', { scope: 'gateway' }, settings),
    admin('POST', '/providers/:id/check', ofGateway, ({ id }) => context.checkProvider(id)),
  ];
}
