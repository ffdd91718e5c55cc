// Transcription jobs, one row each. The state machine decides what may change; this only stores it.
import type { AttemptStatus, JobStatus, TranscriberId } from '@trivium/contract';
import type { JobState } from '../core/job.ts';
import type { TranscribeAsk } from '../../negotiation/transcribe-asks.ts';
import type { Failure } from '../core/submission.ts';
import type { Row, Runner } from '../../store/database.ts';
import { stepText } from './job-steps.ts';

/** The part of the request that the job needs. */
interface JobRequest {
  audio_url: string;
  ask: TranscribeAsk;
  /** As the caller wrote it. */
  language?: string;
  options: Record<string, unknown>;
  /** Where the caller wants to be told about the end of the job. */
  webhook?: string;
  /** The recording was uploaded to this gateway. */
  upload?: JobUpload;
}

interface JobUpload {
  id: string;
  /** Its media type, as the gateway recognised it. */
  type: string;
  bytes: number;
}

export interface JobRow extends JobState {
  id: string;
  account_id: string;
  key_id: string;
  request_id: string;
  provider: TranscriberId;
  model: string;
  request: JobRequest;
  callback_url: string | null;
  /** The name of the credential that the present attempt was submitted with. */
  credential: string | null;
  result_id: string | null;
  /** Where the provider stored the recording that the gateway sent to it. */
  vendor_upload: VendorUpload | null;
  created_at: number;
  updated_at: number;
  lease_owner: string | null;
}

interface VendorUpload {
  audio_url: string;
  /** The name of the credential that it was sent with: the provider knows it only under that. */
  credential: string | null;
}

export type NewJob = Pick<
  JobRow,
  | 'id'
  | 'account_id'
  | 'key_id'
  | 'request_id'
  | 'provider'
  | 'model'
  | 'request'
  | 'created_at'
  | 'deadline_at'
>;

/** By name: a statement with `*` breaks when a newer version adds a column. */
export const jobColumns = [
  'id',
  'account_id',
  'key_id',
  'request_id',
  'provider',
  'model',
  'request',
  'status',
  'attempt',
  'attempt_status',
  'provider_job_id',
  'callback_url',
  'credential',
  'submitted_at',
  'tries',
  'result_id',
  'vendor_upload',
  'error',
  'created_at',
  'updated_at',
  'finished_at',
  'deadline_at',
  'run_at',
  'lease_owner',
]
  .map((name) => `jobs.${name}`)
  .join(', ');

export async function insertJob(on: Runner, job: NewJob): Promise<void> {
  await on.run(
    `insert into jobs
       (id, account_id, key_id, request_id, provider, model, request, status, attempt,
        attempt_status, tries, created_at, updated_at, deadline_at, run_at, steps, upload_id)
     values ($1, $2, $3, $4, $5, $6, $7, 'queued', 1, 'queued', 0, $8, $8, $9, $8, $10, $11)`,
    [
      job.id,
      job.account_id,
      job.key_id,
      job.request_id,
      job.provider,
      job.model,
      JSON.stringify(job.request),
      job.created_at,
      job.deadline_at,
      stepText(job.created_at, 1, 'queued'),
      job.request.upload?.id ?? null,
    ],
  );
}

export async function findJob(on: Runner, id: string): Promise<JobRow | undefined> {
  const [row] = await on.run(`select ${jobColumns} from jobs where id = $1`, [id]);
  return row && readJob(row);
}

/** Locks it until the end of the transaction. */
export async function lockJob(on: Runner, id: string): Promise<JobRow | undefined> {
  const [row] = await on.run(
    `select ${jobColumns} from jobs where id = $1${on.lock('for update')}`,
    [id],
  );
  return row && readJob(row);
}

/**
 * Writes a state. With an unread callback the job is due at once. `keep_lease` is for a worker that
 * goes on with the job, and for a transition by a process that does not hold the lease.
 */
export async function putState(
  on: Runner,
  id: string,
  state: JobState,
  extra: {
    now: number;
    keep_lease: boolean;
    sender?: Pick<JobRow, 'callback_url' | 'credential'>;
    result_id?: string;
  },
): Promise<void> {
  await on.run(
    `update jobs set
       status = $2, attempt = $3, attempt_status = $4, provider_job_id = $5, submitted_at = $6,
       tries = $7, finished_at = cast($8 as bigint), error = $9, updated_at = $10,
       run_at = case when cast($8 as bigint) is null
         and exists (select 1 from callbacks where job_id = $1 and read_at is null)
         then $10 else $11 end,
       result_id = coalesce($12, result_id),
       callback_url = case when $13 = 1 then $14 else callback_url end,
       lease_owner = case when $15 = 1 then lease_owner end,
       lease_until = case when $15 = 1 then lease_until end,
       credential = case when $13 = 1 then $16 else credential end,
       steps = case when attempt <> $3 or attempt_status <> $4 then steps || $17 else steps end
     where id = $1`,
    [
      id,
      state.status,
      state.attempt,
      state.attempt_status,
      state.provider_job_id,
      state.submitted_at,
      state.tries,
      state.finished_at,
      state.failure && JSON.stringify(state.failure),
      extra.now,
      state.run_at,
      extra.result_id ?? null,
      extra.sender === undefined ? 0 : 1,
      extra.sender?.callback_url ?? null,
      extra.keep_lease ? 1 : 0,
      extra.sender?.credential ?? null,
      stepText(extra.now, state.attempt, state.attempt_status),
    ],
  );
}

/** Only for the worker that holds the lease. */
export async function putVendorUpload(
  on: Runner,
  id: string,
  owner: string,
  upload: VendorUpload,
): Promise<void> {
  await on.run('update jobs set vendor_upload = $3 where id = $1 and lease_owner = $2', [
    id,
    owner,
    JSON.stringify(upload),
  ]);
}

/** Until the end of the transaction, no other gateway counts running jobs or takes one. */
export async function takeTurn(on: Runner): Promise<void> {
  await on.run(`select id from job_turn${on.lock('for update')}`);
}

export async function countAtWork(on: Runner): Promise<Map<string, number>> {
  const rows = await on.run<{ provider: string; count: unknown }>(
    `select provider, count(*) as count from jobs
     where attempt_status in ('submitting', 'waiting') group by provider`,
  );
  return new Map(rows.map(({ provider, count }) => [provider, Number(count)]));
}

export async function deleteJob(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where job_id = $1', [id]);
  await on.run('delete from callbacks where job_id = $1', [id]);
  await on.run('delete from jobs where id = $1', [id]);
}

export function readJob(row: Row): JobRow {
  const text = (name: string) => String(row[name]);
  const whole = (name: string) => Number(row[name]);
  const textOrNull = (name: string) => (isNull(row[name]) ? null : String(row[name]));
  const wholeOrNull = (name: string) => (isNull(row[name]) ? null : Number(row[name]));
  return {
    id: text('id'),
    account_id: text('account_id'),
    key_id: text('key_id'),
    request_id: text('request_id'),
    provider: text('provider') as TranscriberId,
    model: text('model'),
    request: JSON.parse(text('request')) as JobRequest,
    status: text('status') as JobStatus,
    attempt: whole('attempt'),
    attempt_status: text('attempt_status') as AttemptStatus,
    provider_job_id: textOrNull('provider_job_id'),
    callback_url: textOrNull('callback_url'),
    credential: textOrNull('credential'),
    submitted_at: wholeOrNull('submitted_at'),
    tries: whole('tries'),
    result_id: textOrNull('result_id'),
    vendor_upload: isNull(row['vendor_upload'])
      ? null
      : (JSON.parse(text('vendor_upload')) as VendorUpload),
    failure: isNull(row['error']) ? null : (JSON.parse(text('error')) as Failure),
    created_at: whole('created_at'),
    updated_at: whole('updated_at'),
    finished_at: wholeOrNull('finished_at'),
    deadline_at: whole('deadline_at'),
    run_at: whole('run_at'),
    lease_owner: textOrNull('lease_owner'),
  };
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}
