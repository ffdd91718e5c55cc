// Lists jobs, counts them, and reads figures about them for reports.
import type { JobLine } from '@trivium/contract';
import { gatewayFailure } from '../core/job-failures.ts';
import { recordingName } from '../core/recording.ts';
import { costOfRequest } from '../../requests/core/index.ts';
import {
  containing,
  equal,
  mapOfIds,
  type ListPage,
  type Row,
  type Runner,
  query,
  reader,
  scanPage,
  text,
  timeFilters,
  type TimeRange,
  whole,
} from '../../store/index.ts';
import {
  type JobFacts,
  type JobRow,
  type JobStep,
  jobColumns,
  readFacts,
  readFailure,
  readRequest,
  readSteps,
} from './jobs.ts';

/** How many of the latest jobs are read. */
const maxLatest = 20_000;

const readTime = reader({ provider: text, latency_ms: whole, at: whole });

/** How long the latest jobs took. */
export function listJobTimes(
  on: Runner,
  since: number,
  limit: number,
): Promise<ReturnType<typeof readTime>[]> {
  return query.rows(
    on,
    readTime,
    `select provider, finished_at - created_at as latency_ms, finished_at as at from (
       select provider, status, created_at, finished_at from jobs
       order by created_at desc, id desc limit ${maxLatest}) as latest
     where status = 'completed' and finished_at >= $1
     order by finished_at desc limit ${Math.trunc(limit)}`,
    [since],
  );
}

/** The requests that began jobs, by job. */
export const findRequestsOfJobs = mapOfIds(
  { request_id: text },
  (places) => `select id, request_id from jobs where id in (${places})`,
);

/** At least as many jobs as a page shows. */
const pageOfJobs = 200;

/** When one of the latest jobs of an account last changed. 0 if it has none. */
export function findLastChange(on: Runner, accountId: string): Promise<number> {
  return query.number(
    on,
    `select max(updated_at) as changed from (
       select updated_at from jobs where account_id = $1
       order by created_at desc, id desc limit ${pageOfJobs}) as latest`,
    [accountId],
  );
}

/** A column for a statement whose first parameter is an account. */
export const transcriptBytes = `(select coalesce(sum(result_bytes), 0) from jobs
  where account_id = $1 and result_bytes is not null)`;

/** The given jobs that have not ended. */
export const findOpen = mapOfIds(
  {},
  (places) => `select id from jobs where id in (${places}) and finished_at is null`,
);

const readCount = reader({ status: text, attempt_status: text, count: whole, oldest_at: whole });

export type JobCount = ReturnType<typeof readCount>;

/** At most this many are counted. */
const maxCounted = 100_000;

export function countOpenJobs(on: Runner, max = maxCounted): Promise<JobCount[]> {
  return query.rows(
    on,
    readCount,
    `select status, attempt_status, count(*) as count, min(created_at) as oldest_at from (
       select status, attempt_status, created_at from jobs where finished_at is null
       limit ${max}) as open
     group by status, attempt_status`,
  );
}

interface JobFilter extends TimeRange {
  id?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  status?: string | undefined;
  provider?: string | undefined;
  /** Text to find in the address or the name of the recording. */
  text?: string | undefined;
}

/** A job whose JSON cannot be read is still listed, with its other columns. */
export interface ListedJob extends JobFacts, Pick<JobRow, 'failure'> {
  recording: Pick<JobLine, 'audio_host' | 'file_name' | 'duration_seconds'>;
  /** In micro-USD. Zero until the job is settled, and if it failed. */
  cost: number;
  steps: readonly JobStep[];
}

const columns = `${jobColumns}, steps,
  ${costOfRequest('jobs.request_id')} as cost`;

export function listJobs(on: Runner, page: JobFilter & ListPage) {
  const { id, account_id, key_id, status, provider, text: words } = page;
  const indexed = [...equal({ id, account_id }), ...timeFilters(page)];
  const others = [
    ...equal({ key_id, status, provider }),
    containing('recording', words?.toLowerCase()),
  ];
  return scanPage(on, { name: 'jobs', columns, read: readListed, indexed, others }, page);
}

const readMore = reader({ cost: whole, steps: text });

function readListed(row: Row): ListedJob {
  const { cost, steps } = readMore(row);
  const facts = readFacts(row);
  return {
    ...facts,
    recording: recordingOf(row, facts),
    failure: failureOf(row),
    cost,
    steps: readSteps(steps),
  };
}

/** Without the rest of its URL, which may be signed. */
function recordingOf(row: Row, { notes }: JobFacts): ListedJob['recording'] {
  const { duration_seconds = null } = notes;
  try {
    const { request } = readRequest(row);
    return {
      audio_host: new URL(request.audio_url).host,
      file_name: recordingName(request),
      duration_seconds: duration_seconds ?? request.upload?.seconds ?? null,
    };
  } catch {
    return { audio_host: null, file_name: null, duration_seconds };
  }
}

function failureOf(row: Row): ListedJob['failure'] {
  try {
    return readFailure(row).error;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return gatewayFailure('provider_error', message, false);
  }
}
