// Lists jobs, newest first, each with what its request was charged.
import {
  type Filter,
  type ListPage,
  type Row,
  type Runner,
  type ScanLimits,
  type Scanned,
  scanPage,
} from '../../store/index.ts';
import { readSteps } from './job-steps.ts';
import type { JobStep } from './job-steps.ts';
import { jobColumns, readJob } from './jobs.ts';
import type { JobRow } from './jobs.ts';

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

const columns = `${jobColumns}, steps,
  (select cost from requests where requests.id = jobs.request_id) as cost`;

export function listJobs(
  on: Runner,
  filter: JobFilter,
  page: ListPage,
  limits?: ScanLimits,
): Promise<Scanned<ListedJob>> {
  const indexed: Filter[] = [
    { text: 'id = ?', values: [filter.id] },
    { text: 'account_id = ?', values: [filter.account_id] },
  ];
  const others: Filter[] = [
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'status = ?', values: [filter.status] },
    { text: 'provider = ?', values: [filter.provider] },
  ];
  const list = { table: 'jobs', columns, read: readListed, indexed, others };
  return scanPage(on, list, page, limits);
}

function readListed(row: Row): ListedJob {
  return {
    ...readJob(row),
    cost: Number(row['cost'] ?? 0),
    steps: readSteps(String(row['steps'])),
  };
}
