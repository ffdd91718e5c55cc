// Lists jobs, newest first, each with what its request was charged.
import type { Runner } from '../../store/database.ts';
import { olderThan, whereAll } from '../../store/filters.ts';
import { readSteps } from './job-steps.ts';
import type { JobStep } from './job-steps.ts';
import { jobColumns, readJob } from './jobs.ts';
import type { JobRow } from './jobs.ts';
import type { ListPage } from '../../store/filters.ts';

interface JobFilter {
  id?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  status?: string | undefined;
  provider?: string | undefined;
}

export interface ListedJob extends JobRow {
  /** In micro-USD; zero until the job is settled, and when it failed. */
  cost: number;
  steps: readonly JobStep[];
}

export async function listJobs(
  on: Runner,
  filter: JobFilter,
  { position, limit }: ListPage,
): Promise<ListedJob[]> {
  const where = whereAll([
    { text: 'id = ?', values: [filter.id] },
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'status = ?', values: [filter.status] },
    { text: 'provider = ?', values: [filter.provider] },
    olderThan(position),
  ]);
  const rows = await on.run(
    `select ${jobColumns}, steps,
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
