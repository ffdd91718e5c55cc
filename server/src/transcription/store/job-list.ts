// Lists jobs, newest first, each with the amount that its request was charged.
import {
  type Filter,
  type ListPage,
  reader,
  type Row,
  type Runner,
  type ScanLimits,
  scanPage,
  text,
  whole,
} from '../../store/index.ts';
import { costOfRequest } from '../../requests/index.ts';
import { readSteps } from './job-steps.ts';
import type { JobStep } from './job-steps.ts';
import { jobColumns, readFacts, readFailure, readRequest } from './jobs.ts';
import type { JobFacts, JobRow } from './jobs.ts';

interface JobFilter {
  id?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  status?: string | undefined;
  provider?: string | undefined;
}

/** A job whose JSON cannot be read is still listed, with its other columns. */
export interface ListedJob extends JobFacts, Pick<JobRow, 'failure'> {
  /** Without the rest of the URL, which may be signed. Null if the request cannot be read. */
  audio_host: string | null;
  /** In micro-USD. Zero until the job is settled, and if it failed. */
  cost: number;
  steps: readonly JobStep[];
}

const columns = `${jobColumns}, steps,
  ${costOfRequest('jobs.request_id')} as cost`;

export function listJobs(on: Runner, filter: JobFilter, page: ListPage, limits?: ScanLimits) {
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

const readMore = reader({ cost: whole, steps: text });

function readListed(row: Row): ListedJob {
  const { cost, steps } = readMore(row);
  return {
    ...readFacts(row),
    audio_host: audioHost(row),
    failure: failureOf(row),
    cost,
    steps: readSteps(steps),
  };
}

function audioHost(row: Row): string | null {
  try {
    return new URL(readRequest(row).request.audio_url).host;
  } catch {
    return null;
  }
}

function failureOf(row: Row): ListedJob['failure'] {
  try {
    return readFailure(row).error;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const facts = { provider_status: null, provider_code: null, retryable: false };
    return { type: 'provider_error', message, ...facts };
  }
}
