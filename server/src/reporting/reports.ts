// Small reports: transfers, the overview, a text that changes when an account's pages have something new, and the
// latencies that earlier processes and other gateways measured.
import type {
  Activity,
  ActivityQuery,
  Overview,
  OverviewQuery,
  ToolName,
  TransferLine,
  TransferList,
  TransferQuery,
} from '@trivium/contract';
import type { ReportingContext } from './context.ts';
import { usd } from '../billing/core/index.ts';
import { readBalance, readPosted, readTransferPage } from '../billing/index.ts';
import {
  readPurposes,
  readAnswerTimes,
  readUsageOverview,
  readUsageVersion,
} from '../requests/index.ts';
import { findLastChange, findRequestsOfJobs, listJobTimes } from '../transcription/index.ts';
import { showTransfer } from '../accounts/index.ts';
import { readDateRange, type Runner } from '../store/index.ts';
import { dayMs } from '@trivium/contract/durations';
import type { Latencies } from '../upstream/core/index.ts';

export async function readTransfers(
  { database: { reader } }: Pick<ReportingContext, 'database'>,
  query: TransferQuery,
): Promise<TransferList> {
  const found = await readTransferPage(reader, { ...query, ...readDateRange(query) });
  const holds = found.rows.flatMap(({ hold_id }) => hold_id ?? []);
  const purposes = await purposesOf(reader, [...new Set(holds)]);
  const transfers = found.rows.map((row): TransferLine => {
    const purpose = row.hold_id === null ? undefined : purposes.get(row.hold_id);
    const balance = found.balances?.get(row.id);
    return {
      ...showTransfer(row),
      ...purpose,
      ...(balance === undefined ? {} : { balance_after_usd: usd(balance) }),
    };
  });
  return { transfers, ...found.end };
}

const jobPrefix = 'job:';

/** By hold. A hold has the id of its request; that of a job leads to the request that began it. */
async function purposesOf(on: Runner, holds: readonly string[]) {
  const jobs = holds.filter((id) => id.startsWith(jobPrefix));
  const idOf = (hold: string) => hold.slice(jobPrefix.length);
  const requests = await findRequestsOfJobs(on, jobs.map(idOf));
  const requestOf = (id: string) =>
    id.startsWith(jobPrefix) ? (requests.get(idOf(id))?.request_id ?? '') : id;
  const purposes = await readPurposes(on, [...new Set(holds.map(requestOf))]);
  return new Map(
    holds.flatMap((id) => {
      const purpose = purposes.get(requestOf(id));
      return purpose ? [[id, purpose] as const] : [];
    }),
  );
}

export async function readOverview(
  context: ReportingContext,
  query: OverviewQuery,
): Promise<Overview> {
  const [{ balance_usd, held_usd }, { span, zone, ...usage }] = await Promise.all([
    readBalance(context, { account_id: query.account_id }),
    readUsageOverview(context, query),
  ]);
  return { span, zone, balance_usd, held_usd, ...usage };
}

export async function readActivity(
  context: Pick<ReportingContext, 'database' | 'clock'>,
  { account_id }: ActivityQuery,
): Promise<Activity> {
  const { reader } = context.database;
  const parts = await Promise.all([
    readUsageVersion(context, account_id),
    readPosted(reader, account_id),
    findLastChange(reader, account_id),
  ]);
  return { version: parts.join('-') };
}

const sampleSize = 2000;

export async function seedLatencies(
  { database, clock }: Pick<ReportingContext, 'database' | 'clock'>,
  latencies: Latencies,
  tools: readonly ToolName[],
): Promise<void> {
  const since = clock.now().getTime() - dayMs;
  for (const tool of tools) {
    const times =
      tool === 'transcription'
        ? await listJobTimes(database.reader, since, sampleSize)
        : await readAnswerTimes(database.reader, { tool, since });
    // Oldest first, in the order in which they were measured.
    for (const { provider, latency_ms, at } of times.toReversed()) {
      latencies.note(tool, provider, latency_ms, at);
    }
  }
}
