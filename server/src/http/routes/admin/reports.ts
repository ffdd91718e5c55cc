// Further routes of the admin API: the overview, jobs, provider records and checks, the cache, the
// audit log, and the audit of the gateway's memory.
import { AttentionQuery, AuditQuery, CacheQuery, ScorecardQuery, version } from '@trivium/contract';
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
import { scorecardCsv } from '../../scorecard-csv.ts';
import { validate } from '../../middleware/body.ts';
import { admin, report, ok } from './routes.ts';
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
  return [
    report('/overview', (query) => readOverview(context, query)),
    report('/activity', (query) => readActivity(context, query)),
    admin('GET', '/attention', {
      scope: 'account_in_query',
      handle: ({ query, account_id, is_operator }) => {
        const given = account_id === undefined ? query : { ...query, account_id };
        return ok(readAttention(validate(AttentionQuery, given).account_id, is_operator));
      },
    }),
    report('/jobs', (query) => readJobs(context, query)),
    admin('GET', '/scorecard', {
      scope: 'account_in_query',
      handle: async ({ query, account_id, accepts }) => {
        const given = account_id === undefined ? query : { ...query, account_id };
        const { format, ...wanted } = validate(ScorecardQuery, given);
        const scorecard = await readScorecard(context, wanted);
        const isCsv = format === 'csv' || (!format && accepts('text/csv'));
        return isCsv ? scorecardCsv(scorecard) : Response.json(scorecard);
      },
    }),
    admin('GET', '/cache', { scope: 'gateway', handle: () => ok(readCache(context)) }),
    admin('DELETE', '/cache', {
      scope: 'gateway',
      handle: ({ query, by }) =>
        ok(clearCache(context, by, validate(CacheQuery, query).account_id)),
    }),
    admin('GET', '/audit', {
      scope: 'account_in_query',
      handle: ({ query, account_id, accepts }) => {
        const filters = validate(AuditQuery, { ...query, account_id });
        return accepts(jsonLines)
          ? new Response(exportAudit(context, filters), { headers: { 'content-type': jsonLines } })
          : ok(readAudit(context, filters));
      },
    }),
    admin('GET', '/books', { scope: 'gateway', handle: () => ok(auditMemory(context)) }),
    admin('GET', '/provider-records', {
      scope: 'gateway',
      handle: () => ok(readProviderRecords(context)),
    }),
    admin('GET', '/providers/:id/hours', {
      scope: 'gateway',
      handle: ({ id }) => ok(readProviderHours(context, id)),
    }),
    admin('POST', '/providers/:id/check', {
      scope: 'gateway',
      handle: ({ id }) => ok(checkProvider(id)),
    }),
  ];
}

interface SettingsContext extends Pick<AccountsContext, 'database'> {
  settings: Pick<Settings, 'displayed' | 'mode'>;
}

export function settingsRoutes({ settings, database }: SettingsContext): Route[] {
  const view = (): SettingsView => ({
    version,
    mode: settings.mode,
    store: database.engine,
    settings: [...settings.displayed],
  });
  return [admin('GET', '/settings', { scope: 'gateway', handle: () => Response.json(view()) })];
}
