// Transcription jobs, one row each. The state machine decides what may change; this file only
// stores it.
import type { AttemptStatus, JobStatus, TranscriberId } from '@trivium/contract';
import type { TranscribeAsk } from '../../negotiation/index.ts';
import {
  type Row,
  type RowOf,
  type Runner,
  flag,
  inParts,
  is,
  json,
  orNull,
  overIds,
  query,
  reader,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { JobState } from '../core/job.ts';
import { searchedText } from '../core/recording.ts';
import type { Failure } from '../core/submission.ts';
import type { TranscriptNotes } from '../core/transcript.ts';

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
  /** The caller's name for the file. */
  name?: string;
}

interface VendorUpload {
  audio_url: string;
  /** The name of the only credential with which the provider finds the file. */
  credential: string | null;
}

const isJobRequest = is.shape<JobRequest>({
  audio_url: is.text,
  ask: is.shape<TranscribeAsk>({
    model: is.text,
    language: is.absentOr(is.text),
    diarize: is.absentOr(is.boolean),
    keyterms: is.absentOr(is.listOf(is.text)),
    timestamps: is.text,
  }),
  language: is.absentOr(is.text),
  options: is.object,
  webhook: is.absentOr(is.text),
  upload: is.absentOr(
    is.shape<JobUpload>({
      id: is.text,
      type: is.text,
      bytes: is.number,
      seconds: is.absentOr(is.number),
      name: is.absentOr(is.text),
    }),
  ),
  held_seconds: is.absentOr(is.number),
});
const isVendorUpload = is.shape<VendorUpload>({
  audio_url: is.text,
  credential: is.nullOr(is.text),
});
const isFailure = is.shape<Failure>({
  type: is.text,
  message: is.text,
  provider_status: is.nullOr(is.number),
  provider_code: is.nullOr(is.text),
  retryable: is.boolean,
});

/** What can always be read, because it contains no JSON. */
const facts = {
  id: text,
  account_id: text,
  key_id: text,
  request_id: text,
  provider: textOf<TranscriberId>(),
  model: text,
  status: textOf<JobStatus>(),
  attempt: whole,
  attempt_status: textOf<AttemptStatus>(),
  provider_job_id: orNull(text),
  callback_url: orNull(text),
  /** The name of the credential that the current attempt was submitted with. */
  credential: orNull(text),
  submitted_at: orNull(whole),
  tries: whole,
  result_id: orNull(text),
  /** The vendor's document from which the result was read. */
  raw_id: orNull(text),
  created_at: whole,
  updated_at: whole,
  finished_at: orNull(whole),
  deadline_at: whole,
  run_at: whole,
  lease_owner: orNull(text),
};
const notes = { unread_words: orNull(whole), heard_ms: orNull(whole), length_ms: orNull(whole) };
const documents = {
  request: json(isJobRequest),
  /** Where the provider stored the recording that the gateway sent to it. */
  vendor_upload: orNull(json(isVendorUpload)),
  error: orNull(json(isFailure)),
};

const allJobs = table(
  'jobs',
  {
    ...facts,
    ...notes,
    ...documents,
    steps: text,
    upload_id: orNull(text),
    exposure: whole,
    recording: orNull(text),
  },
  'job',
);
export const jobColumns = allJobs.omit('steps', 'upload_id', 'exposure', 'recording').columns;

/** The columns of a job that contain no JSON. */
export type JobFacts = RowOf<typeof facts> & { notes: TranscriptNotes };
export type JobRow = JobState &
  JobFacts &
  Omit<RowOf<typeof documents>, 'error'> & { failure: Failure | null };

const added = allJobs.pick(
  'id',
  'account_id',
  'key_id',
  'request_id',
  'provider',
  'model',
  'request',
  'created_at',
  'deadline_at',
  'steps',
  'upload_id',
  'exposure',
  'recording',
);

export type NewJob = Omit<
  ReturnType<typeof added.read>,
  'steps' | 'upload_id' | 'exposure' | 'recording'
> & {
  /** What the job can cost beyond its hold, for the audit. */
  exposure?: number;
};

const insertRows = added.insert({
  values: {
    status: `'queued'`,
    attempt: '1',
    attempt_status: `'queued'`,
    tries: '0',
    updated_at: 'created_at',
    run_at: 'created_at',
  },
});

export async function insertJobs(on: Runner, accepted: readonly NewJob[]): Promise<void> {
  await insertRows(
    on,
    accepted.map((job) => ({
      ...job,
      steps: stepText(job.created_at, 1, 'queued'),
      upload_id: job.request.upload?.id,
      exposure: job.exposure ?? 0,
      recording: searchedText(job.request),
    })),
  );
}

export function findJob(on: Runner, id: string): Promise<JobRow | undefined> {
  return query.row(on, readJob, `select ${jobColumns} from jobs where id = $1`, [id]);
}

/** The provider's ids of the jobs that were created in this time. */
export async function findProviderJobIds(
  on: Runner,
  provider: TranscriberId,
  { from, to }: { from: number; to: number },
): Promise<Set<string>> {
  const rows = await on.run(
    `select provider_job_id from jobs where created_at >= $2 and created_at <= $3
       and provider = $1 and provider_job_id is not null and attempt_status <> 'unknown'`,
    [provider, from, to],
  );
  return new Set(rows.map((row) => String(row['provider_job_id'])));
}

const lockJobRows = overIds(
  (places, lock) => `select ${jobColumns} from jobs where id in (${places}) order by id${lock}`,
  'for update',
);

/** Locks the jobs until the end of the transaction, in id order. */
export async function lockJobs(on: Runner, ids: readonly string[]): Promise<Map<string, JobRow>> {
  const rows = (await lockJobRows(on, ids)).map(readJob);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface NewState {
  id: string;
  state: JobState;
  now: number;
  /** For a worker that continues, or a process that does not hold the lease. */
  keep_lease: boolean;
  sender?: Pick<JobRow, 'callback_url' | 'credential'>;
  result_id?: string;
  /** The length of the result and of the document from which it was read. */
  result_bytes?: number;
  raw_id?: string;
  notes?: TranscriptNotes;
}

const putStateRows = inParts(
  {
    id: text,
    status: facts.status,
    attempt: whole,
    attempt_status: facts.attempt_status,
    provider_job_id: facts.provider_job_id,
    submitted_at: facts.submitted_at,
    tries: whole,
    finished_at: facts.finished_at,
    error: documents.error,
    now: whole,
    run_at: whole,
    result_id: facts.result_id,
    result_bytes: orNull(whole),
    raw_id: facts.raw_id,
    ...notes,
    has_sender: flag,
    callback_url: facts.callback_url,
    credential: facts.credential,
    keeps_lease: flag,
    step: text,
  },
  `update jobs set
     status = v.status, attempt = v.attempt, attempt_status = v.attempt_status,
     provider_job_id = v.provider_job_id, submitted_at = v.submitted_at, tries = v.tries,
     finished_at = v.finished_at, error = v.error, updated_at = v.now,
     run_at = case when v.finished_at is null
       and exists (select 1 from callbacks where job_id = v.id and read_at is null)
       then v.now else v.run_at end,
     result_id = coalesce(v.result_id, jobs.result_id),
     result_bytes = coalesce(v.result_bytes, jobs.result_bytes),
     raw_id = coalesce(v.raw_id, jobs.raw_id),
     unread_words = coalesce(v.unread_words, jobs.unread_words),
     heard_ms = coalesce(v.heard_ms, jobs.heard_ms),
     length_ms = coalesce(v.length_ms, jobs.length_ms),
     callback_url = case when v.has_sender = 1 then v.callback_url else jobs.callback_url end,
     credential = case when v.has_sender = 1 then v.credential else jobs.credential end,
     lease_owner = case when v.keeps_lease = 1 then jobs.lease_owner end,
     lease_until = case when v.keeps_lease = 1 then jobs.lease_until end,
     steps = case when jobs.attempt <> v.attempt or jobs.attempt_status <> v.attempt_status
       then jobs.steps || v.step else jobs.steps end
   from v where jobs.id = v.id`,
);

/** Writes one state for each of several jobs. A job with an unread callback is due at once. */
export async function putStates(on: Runner, states: readonly NewState[]): Promise<void> {
  await putStateRows(
    on,
    states.map(({ id, state, now, keep_lease, sender, notes: noted, ...ended }) => ({
      ...state,
      ...ended,
      id,
      error: state.failure,
      now,
      unread_words: noted?.unread_words,
      heard_ms: inMs(noted?.ends_early?.heard_seconds),
      length_ms: inMs(noted?.duration_seconds),
      has_sender: sender !== undefined,
      callback_url: sender?.callback_url,
      credential: sender?.credential,
      keeps_lease: keep_lease,
      step: stepText(now, state.attempt, state.attempt_status),
    })),
  );
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

const turn = table('job_turn', { id: whole });

/** Until the end of the transaction, no other gateway counts running jobs or takes one. */
export async function takeTurn(on: Runner): Promise<void> {
  await turn.list(on, on.lock('for update'));
}

export async function deleteJob(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where job_id = $1', [id]);
  await on.run('delete from callbacks where job_id = $1', [id]);
  await on.run('delete from jobs where id = $1', [id]);
}

const readColumns = reader({ ...facts, ...notes });
const readDocuments = reader(documents, 'job');

export function readJob(row: Row): JobRow {
  const { error, ...rest } = readDocuments(row);
  return { ...readFacts(row), ...rest, failure: error };
}

export const readRequest = reader({ request: documents.request }, 'job');
export const readFailure = reader({ error: documents.error }, 'job');

export function readFacts(row: Row): JobFacts {
  const { unread_words, heard_ms, length_ms, ...read } = readColumns(row);
  const duration = length_ms === null ? {} : { duration_seconds: length_ms / 1000 };
  return {
    ...read,
    notes: {
      ...(unread_words === null ? {} : { unread_words }),
      ...duration,
      ...(heard_ms !== null && length_ms !== null
        ? { ends_early: { heard_seconds: heard_ms / 1000, duration_seconds: length_ms / 1000 } }
        : {}),
    },
  };
}

function inMs(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1000);
}

export interface JobStep {
  at: number;
  attempt: number;
  attempt_status: AttemptStatus;
}

/** The text to append to the column `steps`. */
function stepText(at: number, attempt: number, attemptStatus: AttemptStatus): string {
  return `${at} ${attempt} ${attemptStatus};`;
}

/** Oldest first. */
export function readSteps(text: string): JobStep[] {
  const steps = text.split(';').slice(0, -1);
  return steps.map((step) => {
    const [at, attempt, attemptStatus] = step.split(' ');
    return {
      at: Number(at),
      attempt: Number(attempt),
      attempt_status: attemptStatus as AttemptStatus,
    };
  });
}
