// Helpers for transcription jobs: documented shapes, submitting, and waiting for the end.
import { z } from 'zod';
import type { Gateway } from './harness.ts';
import { Warning } from './shapes.ts';
import { openStore } from './store-file.ts';
import { waitFor } from './wait-for.ts';

const Timestamp = z.iso.datetime({ offset: true });
const JobId = z.string().regex(/^job_[0-9a-f-]{36}$/);
const Service = z.enum(['stt_a', 'stt_b', 'stt_c']);
const Status = z.enum(['queued', 'running', 'completed', 'failed']);

export const Accepted = z.strictObject({
  id: JobId,
  tool: z.literal('transcription'),
  status: Status,
  provider: Service,
  model: z.string(),
  warnings: z.array(Warning),
  created_at: Timestamp,
});

const Word = z.strictObject({
  text: z.string(),
  start: z.number().min(0),
  end: z.number().min(0),
  speaker_id: z
    .string()
    .regex(/^speaker_(0|[1-9]\d*)$/)
    .optional(),
  confidence: z.number().min(0).max(1).optional(),
});

export const JobAnswer = z.strictObject({
  id: JobId,
  tool: z.literal('transcription'),
  status: Status,
  provider: Service,
  model: z.string().nullable(),
  attempt_status: z.enum(['queued', 'submitting', 'waiting', 'unknown', 'completed', 'failed']),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Timestamp.nullable(),
  result: z
    .strictObject({
      text: z.string(),
      language: z
        .string()
        .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/)
        .optional(),
      duration_seconds: z.number().min(0).optional(),
      words: z.array(Word).optional(),
      provider: Service,
      model: z.string().nullable(),
      usage: z.strictObject({ cost_usd: z.number().min(0), credits: z.int().min(0) }).optional(),
    })
    .nullable(),
  error: z.looseObject({ type: z.string(), message: z.string() }).nullable(),
});
export type JobAnswer = z.infer<typeof JobAnswer>;

export const interview = 'https://recordings.example/interview.wav';

export async function submitJob(
  gateway: Gateway,
  body: object,
  headers: Record<string, string> = {},
): Promise<z.infer<typeof Accepted>> {
  const request = { audio_url: interview, ...body };
  const answer = await gateway.post('/v1/transcriptions', request, headers);
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
  return Accepted.parse(answer.body);
}

export async function readJob(gateway: Gateway, id: string): Promise<JobAnswer> {
  const answer = await gateway.get(`/v1/jobs/${id}`);
  if (answer.status !== 200) throw new Error(`not read: ${answer.status} ${answer.text}`);
  return JobAnswer.parse(answer.body);
}

/** Polls a job until the condition is met. */
export function waitForJob(
  gateway: Gateway,
  id: string,
  isReached: (job: JobAnswer) => boolean,
): Promise<JobAnswer> {
  return waitFor(() => readJob(gateway, id), { what: `the job ${id}`, until: isReached });
}

export const hasEnded = (job: JobAnswer) => job.finished_at !== null;

/** Submits a job and waits for its end. */
export async function runJob(gateway: Gateway, body: object): Promise<JobAnswer> {
  const { id } = await submitJob(gateway, body);
  return waitForJob(gateway, id, hasEnded);
}

/** Changes the embedded store beside its gateway, to simulate the passing of time. */
export function passTime(gateway: Gateway, statement: string): void {
  using store = openStore(gateway.store_dir);
  store.run(statement);
}
