// A job as the store returns it, for tests of code that uses jobs.
import type { insertJobs, JobRow } from '../src/transcription/store/jobs.ts';

type NewJob = Parameters<typeof insertJobs>[1][number];

/** A job as it is inserted, on stt_a unless changed. */
export function makeNewJob(id: string, change: Partial<NewJob> = {}): NewJob {
  const { model = 'm' } = change;
  return {
    id,
    account_id: 'acct',
    key_id: 'key',
    request_id: `req_${id}`,
    provider: 'stt_a',
    model,
    request: { audio_url: 'https://x.example/', ask: { model, timestamps: 'word' }, options: {} },
    created_at: 1,
    deadline_at: 10_000,
    ...change,
  };
}

/** Claimed by a worker and recorded as submitting, on stt_b unless changed. */
export function makeJobRow(change: Partial<JobRow> = {}): JobRow {
  return {
    id: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d',
    account_id: 'acct',
    key_id: 'key',
    request_id: 'req',
    provider: 'stt_b',
    model: 'nova-3',
    request: {
      audio_url: 'https://x.example/a.wav',
      ask: { model: 'nova-3', timestamps: 'word' },
      options: {},
    },
    status: 'running',
    attempt: 1,
    attempt_status: 'submitting',
    provider_job_id: null,
    callback_url: null,
    credential: null,
    submitted_at: 0,
    tries: 0,
    result_id: null,
    raw_id: null,
    notes: {},
    vendor_upload: null,
    failure: null,
    created_at: 0,
    updated_at: 0,
    finished_at: null,
    deadline_at: 60_000,
    run_at: 0,
    lease_owner: null,
    ...change,
  };
}
