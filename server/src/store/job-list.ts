// Jobs from new to old, each with what its request was charged.
import type { Runner } from '../platform/database.ts';
import { after, whereAll } from './filters.ts';
import { readSteps } from './job-steps.ts';
import type { JobStep } from './job-steps.ts';
import { job_columns, readJob } from './jobs.ts';
import type { JobRow } from './jobs.ts';
import type { Page } from './reports.ts';

export interface JobFilter {
  id?: string | undefined;
  account_id?: string | undefined;
  status?: string | undefined;
  provider?: string | undefined;
}

export interface ListedJob extends JobRow {
  /** In micro-USD; zero until it is settled, and for good when the job failed. */
  cost: number;
  steps: readonly JobStep[];
}

export async function listJobs(
  on: Runner,
  filter: JobFilter,
  { place, limit }: Page,
): Promise<ListedJob[]> {
  const where = whereAll([
    { text: 'id = ?', values: [filter.id] },
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'status = ?', values: [filter.status] },
    { text: 'provider = ?', values: [filter.provider] },
    after(place),
  ]);
  const rows = await on.run(
    `select ${job_columns}, steps,
       (select cost from requests where requests.id = jobs.request_id) as cost
     from jobs${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map((row) => ({
    ...readJob(row),
    cost: Number(row['cost'] ?? 0),
    steps: readSteps(String(row['steps'])),
  }));
}
