// The reports of the admin API: the overview, jobs, provider records and checks, the cache, the audit
// log, the audit of the gateway's memory, and the settings.
import { version } from '@trivium/contract';
import type { AttentionList, ProviderCheck, SettingsView } from '@trivium/contract';
import { exportAudit, readAudit } from '../../../audit/index.ts';
import { auditMemory } from '../../../billing/index.ts';
import type { AccountsContext } from '../../../accounts/index.ts';
import { readJobs } from '../../../transcription/index.ts';
import {
  readActivity,
  readOverview,
  readProviderHours,
  readProviderRecords,
} from '../../../reporting/index.ts';
import { clearCache, type OperateContext, readCache } from '../../../cache/index.ts';
import { readScorecard } from '../../../quality/index.ts';
import { scorecardCsv } from '../../csv.ts';
import { acceptsType, admin, prefersCsv } from '../rows.ts';
import type { Route } from '../../route.ts';
import type { Settings } from '../../../settings/index.ts';

const jsonLines = 'application/x-ndjson';

interface GatewayReports {
  /** Makes one real, cheap call to a provider. */
  checkProvider: (id: string) => Promise<ProviderCheck>;
  readAttention: (accountId: string, isOperator: boolean) => Promise<AttentionList>;
}

export function overviewRoutes(
  context: AccountsContext &
    OperateContext & { settings: Pick<Settings, 'request_log_days' | 'request_log_hours'> },
  { checkProvider, readAttention }: GatewayReports,
): Route[] {
  const ofGateway = { scope: 'gateway', booked: true } as const;
  const ofQuery = { scope: 'account_in_query', booked: true } as const;
  return [
    admin('GET', '/overview', ofQuery, ({ filter }) => readOverview(context, filter)),
    admin('GET', '/activity', ofQuery, ({ filter }) => readActivity(context, filter)),
    admin('GET', '/attention', ofQuery, ({ filter, is_operator }) =>
      readAttention(filter.account_id, is_operator),
    ),
    admin('GET', '/jobs', ofQuery, ({ filter }) => readJobs(context, filter)),
    admin('GET', '/scorecard', ofQuery, async ({ filter: { format, ...wanted }, request }) => {
      const scorecard = await readScorecard(context, wanted);
      return prefersCsv(request, format) ? scorecardCsv(scorecard) : scorecard;
    }),
    admin('GET', '/cache', ofGateway, () => readCache(context)),
    admin('DELETE', '/cache', ofGateway, ({ filter, by }) =>
      clearCache(context, by, filter.account_id),
    ),
    admin('GET', '/audit', ofQuery, ({ filter, request }) =>
      acceptsType(request, jsonLines)
        ? new Response(exportAudit(context, filter), { headers: { 'content-type': jsonLines } })
        : readAudit(context, filter),
    ),
    admin('GET', '/books', ofGateway, () => auditMemory(context)),
    admin('GET', '/provider-records', ofGateway, () => readProviderRecords(context)),
    admin('GET', '/providers/:id/hours', ofGateway, ({ id }) => readProviderHours(context, id)),
    admin('POST', '/providers/:id/check', ofGateway, ({ id }) => checkProvider(id)),
  ];
}

interface Settled extends Pick<AccountsContext, 'database'> {
  settings: Pick<Settings, 'displayed' | 'mode'>;
}

export function settingsRoutes({ settings, database }: Settled): Route[] {
  return [
    admin('GET', '/settings', { scope: 'gateway' }, () => {
      const { mode, displayed } = settings;
      return {
        version,
        mode,
        store: database.engine,
        settings: [...displayed],
      } satisfies SettingsView;
    }),
  ];
}
