// Transcription jobs, one row each. The state machine decides what may change; this file only
// stores it.
import type { AttemptStatus, JobStatus, TranscriberId } from '@trivium/contract';
import type { JobState } from '../core/job.ts';
import type { TranscribeAsk } from '../../negotiation/index.ts';
import type { Failure } from '../core/submission.ts';
import type { TranscriptNotes } from '../core/transcript.ts';
import {
  checked,
  isAbsentOr,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isText,
  lockedIds,
  readJson,
  type Row,
  rowStatement,
  type Runner,
  shapeOf,
  textOrNull,
  wholeOrNull,
} from '../../store/index.ts';
import { stepText } from './job-steps.ts';

/** The part of the request that the job needs. */
interface JobRequest {
  audio_url: string;
  ask: TranscribeAsk;
  /** As the caller wrote it. */
  language?: string;
  options: Record<string, unknown>;
  /** The URL to which the gateway announces the end of the job. */
  webhook?: string;
  /** Set if the recording was uploaded to this gateway. */
  upload?: JobUpload;
  /** The recording length whose price is held. Absent in jobs of older versions. */
  held_seconds?: number;
}

interface JobUpload {
  id: string;
  /** The media type that the gateway recognised. */
  type: string;
  bytes: number;
  /** The length, if it could be read. */
  seconds?: number;
}

interface VendorUpload {
  audio_url: string;
  /**
   * The name of the credential that the file was sent with. The provider can find it only with that
   * one.
   */
  credential: string | null;
}

const isJobRequest = shapeOf<JobRequest>({
  audio_url: isText,
  ask: shapeOf<TranscribeAsk>({
    model: isText,
    language: isAbsentOr(isText),
    diarize: isAbsentOr(isBoolean),
    keyterms: isAbsentOr(isListOf(isText)),
    timestamps: isText,
  }),
  language: isAbsentOr(isText),
  options: isObject,
  webhook: isAbsentOr(isText),
  upload: isAbsentOr(
    shapeOf<JobUpload>({
      id: isText,
      type: isText,
      bytes: isNumber,
      seconds: isAbsentOr(isNumber),
    }),
  ),
  held_seconds: isAbsentOr(isNumber),
});
const isVendorUpload = shapeOf<VendorUpload>({ audio_url: isText, credential: isNullOr(isText) });
const isFailure = shapeOf<Failure>({
  type: isText,
  message: isText,
  provider_status: isNullOr(isNumber),
  provider_code: isNullOr(isText),
  retryable: isBoolean,
});

export interface JobRow extends JobState {
  id: string;
  account_id: string;
  key_id: string;
  request_id: string;
  provider: TranscriberId;
  model: string;
  request: JobRequest;
  callback_url: string | null;
  /** The name of the credential that the current attempt was submitted with. */
  credential: string | null;
  result_id: string | null;
  /** The vendor's document from which the result was read. */
  raw_id: string | null;
  notes: TranscriptNotes;
  /** Where the provider stored the recording that the gateway sent to it. */
  vendor_upload: VendorUpload | null;
  created_at: number;
  updated_at: number;
  lease_owner: string | null;
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
> & {
  /** What the job can cost beyond its hold, for the audit. */
  exposure?: number;
};

/** Listed by name, because a statement with `*` breaks when a newer version adds a column. */
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
  'raw_id',
  'unread_words',
  'heard_ms',
  'length_ms',
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

const insertJobsStatement = rowStatement(
  [
    ...(['text', 'text', 'text', 'text', 'text', 'text', 'text'] as const),
    ...(['bigint', 'bigint', 'text', 'text', 'bigint'] as const),
  ],
  (table) => `insert into jobs
       (id, account_id, key_id, request_id, provider, model, request, status, attempt,
        attempt_status, tries, created_at, updated_at, deadline_at, run_at, steps, upload_id,
        exposure)
     select column1, column2, column3, column4, column5, column6, column7, 'queued', 1, 'queued',
       0, column8, column8, column9, column8, column10, column11, column12
     from ${table} where column1 is not null`,
);

export async function insertJobs(on: Runner, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map((job) => [
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
    job.exposure ?? 0,
  ]);
  await on.run(...insertJobsStatement(rows));
}

export async function findJob(on: Runner, id: string): Promise<JobRow | undefined> {
  const [row] = await on.run(`select ${jobColumns} from jobs where id = $1`, [id]);
  return row && readJob(row);
}

/** Locks the job until the end of the transaction. */
export async function lockJob(on: Runner, id: string): Promise<JobRow | undefined> {
  return (await lockJobs(on, [id])).get(id);
}

const lockJobsStatement = lockedIds(
  (places, lock) => `select ${jobColumns} from jobs where id in (${places}) order by id${lock}`,
);

/** Locks the jobs until the end of the transaction, in id order. */
export async function lockJobs(on: Runner, ids: readonly string[]): Promise<Map<string, JobRow>> {
  const rows = await on.run(...lockJobsStatement(on.lock('for update'))(ids));
  return new Map(rows.map((row) => [String(row['id']), readJob(row)]));
}

export interface NewState {
  id: string;
  state: JobState;
  now: number;
  /**
   * For a worker that continues the job, and for a transition by a process that does not hold
   * the lease.
   */
  keep_lease: boolean;
  sender?: Pick<JobRow, 'callback_url' | 'credential'>;
  result_id?: string;
  /** The length of the result and of the document from which it was read. */
  result_bytes?: number;
  raw_id?: string;
  notes?: TranscriptNotes;
}

const putStatesStatement = rowStatement(
  [
    ...(['text', 'text', 'bigint', 'text', 'text', 'bigint', 'bigint', 'bigint'] as const),
    ...(['text', 'bigint', 'bigint', 'text', 'bigint', 'text', 'bigint', 'text', 'text'] as const),
    ...(['bigint', 'text', 'bigint', 'bigint', 'bigint'] as const),
  ],
  (table) => `update jobs set
       status = v.column2, attempt = v.column3, attempt_status = v.column4,
       provider_job_id = v.column5, submitted_at = v.column6, tries = v.column7,
       finished_at = v.column8, error = v.column9, updated_at = v.column10,
       run_at = case when v.column8 is null
         and exists (select 1 from callbacks where job_id = v.column1 and read_at is null)
         then v.column10 else v.column11 end,
       result_id = coalesce(v.column12, result_id),
       result_bytes = coalesce(v.column18, result_bytes),
       raw_id = coalesce(v.column19, raw_id),
       unread_words = coalesce(v.column20, unread_words),
       heard_ms = coalesce(v.column21, heard_ms),
       length_ms = coalesce(v.column22, length_ms),
       callback_url = case when v.column13 = 1 then v.column14 else callback_url end,
       lease_owner = case when v.column15 = 1 then lease_owner end,
       lease_until = case when v.column15 = 1 then lease_until end,
       credential = case when v.column13 = 1 then v.column16 else credential end,
       steps = case when attempt <> v.column3 or attempt_status <> v.column4
         then steps || v.column17 else steps end
     from ${table} where jobs.id = v.column1`,
);

/** Writes one state for each of several jobs. A job with an unread callback is due at once. */
export async function putStates(on: Runner, states: readonly NewState[]): Promise<void> {
  const rows = states.map(({ id, state, now, keep_lease, sender, ...ended }) => [
    id,
    state.status,
    state.attempt,
    state.attempt_status,
    state.provider_job_id,
    state.submitted_at,
    state.tries,
    state.finished_at,
    state.failure && JSON.stringify(state.failure),
    now,
    state.run_at,
    ended.result_id ?? null,
    sender === undefined ? 0 : 1,
    sender?.callback_url ?? null,
    keep_lease ? 1 : 0,
    sender?.credential ?? null,
    stepText(now, state.attempt, state.attempt_status),
    ended.result_bytes ?? null,
    ended.raw_id ?? null,
    ended.notes?.unread_words ?? null,
    inMs(ended.notes?.ends_early?.heard_seconds),
    inMs(ended.notes?.ends_early?.duration_seconds),
  ]);
  await on.run(...putStatesStatement(rows));
}

/** Takes effect only for the worker that holds the lease. */
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

export async function deleteJob(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where job_id = $1', [id]);
  await on.run('delete from callbacks where job_id = $1', [id]);
  await on.run('delete from jobs where id = $1', [id]);
}

/** The columns of a job that contain no JSON, so that they can always be read. */
export type JobFacts = Omit<JobRow, 'request' | 'vendor_upload' | 'failure'>;

export function readJob(row: Row): JobRow {
  return {
    ...readFacts(row),
    request: readRequest(row),
    vendor_upload: jsonOrNull(row, 'vendor_upload', isVendorUpload),
    failure: readFailure(row),
  };
}

export function readRequest(row: Row): JobRequest {
  return json(row, 'request', isJobRequest);
}

export function readFailure(row: Row): Failure | null {
  return jsonOrNull(row, 'error', isFailure);
}

function json<T>(row: Row, name: string, check: (value: unknown) => value is T): T {
  return readJson(`The ${name} of job ${String(row['id'])}`, checked(check), row[name]);
}

function jsonOrNull<T>(row: Row, name: string, check: (value: unknown) => value is T): T | null {
  return textOrNull(row[name]) === null ? null : json(row, name, check);
}

function readNotes(row: Row): TranscriptNotes {
  const [unreadWords, heardMs, lengthMs] = ['unread_words', 'heard_ms', 'length_ms'].map((name) =>
    wholeOrNull(row[name]),
  );
  const early =
    typeof heardMs === 'number' && typeof lengthMs === 'number'
      ? { heard_seconds: heardMs / 1000, duration_seconds: lengthMs / 1000 }
      : undefined;
  return {
    ...(typeof unreadWords === 'number' ? { unread_words: unreadWords } : {}),
    ...(early ? { ends_early: early } : {}),
  };
}

function inMs(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1000);
}

export function readFacts(row: Row): JobFacts {
  const text = (name: string) => String(row[name]);
  const whole = (name: string) => Number(row[name]);
  return {
    id: text('id'),
    account_id: text('account_id'),
    key_id: text('key_id'),
    request_id: text('request_id'),
    provider: text('provider') as TranscriberId,
    model: text('model'),
    status: text('status') as JobStatus,
    attempt: whole('attempt'),
    attempt_status: text('attempt_status') as AttemptStatus,
    provider_job_id: textOrNull(row['provider_job_id']),
    callback_url: textOrNull(row['callback_url']),
    credential: textOrNull(row['credential']),
    submitted_at: wholeOrNull(row['submitted_at']),
    tries: whole('tries'),
    result_id: textOrNull(row['result_id']),
    raw_id: textOrNull(row['raw_id']),
    notes: readNotes(row),
    created_at: whole('created_at'),
    updated_at: whole('updated_at'),
    finished_at: wholeOrNull(row['finished_at']),
    deadline_at: whole('deadline_at'),
    run_at: whole('run_at'),
    lease_owner: textOrNull(row['lease_owner']),
  };
}
