// GET /admin/v1/jobs and GET /v1/jobs: jobs without their transcripts.
import type { Job, JobLine, JobList, JobQuery, OwnJobList, OwnJobQuery } from '@trivium/contract';
import { usd } from '../billing/core/index.ts';
import { type Caller, readSimulated, wasSimulated } from '../requests/index.ts';
import { type ReadableDatabase, iso, readDateRange } from '../store/index.ts';
import { type ListedJob, listJobs } from './store/job-reports.ts';
import type { JobFacts, JobRow } from './store/jobs.ts';

export async function readJobs(
  context: { database: ReadableDatabase },
  { from, to, ...query }: JobQuery,
): Promise<JobList> {
  const found = await listJobs(context.database.reader, {
    ...query,
    ...readDateRange({ from, to }),
  });
  const periods = await readSimulated(context.database.reader);
  const jobs = found.rows.map((job) => ({
    ...showJob(job),
    simulated: wasSimulated(periods, [job.provider], job.created_at),
  }));
  return { jobs, ...found.end };
}

/** The jobs of the caller's account, or only those of its key. */
export async function readOwnJobs(
  context: { database: ReadableDatabase },
  { account_id, key_id, own_use_only }: Caller,
  query: OwnJobQuery,
): Promise<OwnJobList> {
  const own = { ...query, account_id, ...(own_use_only ? { key_id } : {}) };
  const found = await listJobs(context.database.reader, own);
  const jobs = found.rows.map((job) => ({ ...jobSummary(job), cost_usd: usd(job.cost) }));
  return { jobs, ...found.end };
}

function showJob(job: ListedJob): Omit<JobLine, 'simulated'> {
  return {
    id: job.id,
    account_id: job.account_id,
    key_id: job.key_id,
    provider: job.provider,
    model: job.model,
    status: job.status,
    attempt: job.attempt,
    attempt_status: job.attempt_status,
    provider_job_id: job.provider_job_id,
    ...job.recording,
    cost_usd: usd(job.cost),
    error: job.failure && { ...job.failure },
    created_at: iso(job.created_at),
    submitted_at: iso(job.submitted_at),
    updated_at: iso(job.updated_at),
    finished_at: iso(job.finished_at),
    deadline_at: iso(job.deadline_at),
    steps: job.steps.map(({ at, ...step }) => ({ at: iso(at), ...step })),
    has_raw: job.raw_id !== null,
    unread_words: job.notes.unread_words ?? 0,
    ends_early: job.notes.ends_early ?? null,
  };
}

/** A job without its transcript. */
export function jobSummary(job: JobFacts & Pick<JobRow, 'failure'>): Omit<Job, 'result'> {
  return {
    id: job.id,
    tool: 'transcription',
    status: job.status,
    provider: job.provider,
    model: job.model,
    attempt_status: job.attempt_status,
    created_at: iso(job.created_at),
    updated_at: iso(job.updated_at),
    finished_at: iso(job.finished_at),
    error: job.failure && { ...job.failure },
  };
}
