// The error of a failed job names the provider by its neutral id, and has the reason in the
// vendor's own words and code, whichever way the vendor reports it.
import { expect, test } from 'bun:test';
import { providerNames } from '@trivium/contract';
import type { TranscriberId } from '@trivium/contract';
import { advised } from '../src/transcription/core/job-failures.ts';
import type { Reply } from '../src/upstream/core/refusal.ts';
import type { Failure } from '../src/transcription/core/submission.ts';
import { providers } from '../src/providers/registry.ts';
import type { Attempt, TranscribeProduct } from '../src/providers/shared/transcribe-product.ts';

const token = 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d.1';
const submittedAt = new Date('2026-11-15T09:00:00Z');
const attempt: Attempt = {
  audio_url: 'https://recordings.example/interview.wav',
  ask: { model: 'any', timestamps: 'word' },
  options: {},
  token,
  callback: { url: 'https://gateway.example/callbacks', secret: 's' },
  submitted_at: submittedAt,
  extras: { DEEPGRAM_PROJECT_ID: 'p' },
};

function reply(status: number, body: unknown): Reply {
  return { status, headers: new Headers(), text: JSON.stringify(body), body };
}

function logged(response: object, callback: object): Reply {
  return reply(200, { requests: [{ request_id: 'r', path: `?tag=${token}`, response, callback }] });
}

type ReadsFailure = (product: TranscribeProduct) => { kind: string; failure?: Failure };

interface Case {
  by: TranscriberId;
  how: string;
  reads: ReadsFailure;
  words: string;
  type: Failure['type'];
  code?: string;
}

const logState = { project_id: 'p', page: 0 };
const inLog = (answer: Reply): ReadsFailure => {
  const later = new Date(submittedAt.getTime() + 60_000);
  return ({ fromLookup }) => fromLookup?.(answer, logState, attempt, later) ?? { kind: 'absent' };
};
const onSubmit =
  (status: number, body: unknown): ReadsFailure =>
  ({ fromSubmit }) =>
    fromSubmit(reply(status, body), attempt);
const onPoll =
  (status: number, body: unknown): ReadsFailure =>
  ({ fromPoll }) =>
    fromPoll?.(reply(status, body), attempt) ?? { kind: 'running' };
const onCallback =
  (body: unknown): ReadsFailure =>
  ({ fromCallback }) =>
    fromCallback(body, attempt);

const done = { code: 200, completed: submittedAt.toISOString() };
const cases: readonly Case[] = [
  {
    by: 'stt_a',
    how: 'a refused submission',
    reads: onSubmit(400, { error: 'Invalid model' }),
    words: 'Invalid model',
    type: 'provider_error',
  },
  {
    by: 'stt_a',
    how: 'a failed transcript',
    reads: onPoll(200, { status: 'error', error: 'Transcoding failed' }),
    words: 'Transcoding failed',
    type: 'provider_error',
  },
  {
    by: 'stt_a',
    how: 'a recording it could not fetch',
    reads: onPoll(200, { status: 'error', error: 'Download error, unable to download x' }),
    words: 'Download error',
    type: 'audio_unreachable',
  },
  {
    by: 'stt_a',
    how: 'a transcript that is gone',
    reads: onPoll(404, { error: 'Transcript lookup error' }),
    words: 'Transcript lookup error',
    type: 'result_lost',
  },
  {
    by: 'stt_b',
    how: 'a refused submission',
    reads: onSubmit(400, { err_code: 'Bad Request', err_msg: 'corrupt data', request_id: 'r' }),
    words: 'corrupt data',
    type: 'provider_error',
    code: 'Bad Request',
  },
  {
    by: 'stt_b',
    how: 'a delivered failure',
    reads: onCallback({ err_code: 'REMOTE_CONTENT_ERROR', err_msg: '404 Not Found' }),
    words: '404 Not Found',
    type: 'audio_unreachable',
    code: 'REMOTE_CONTENT_ERROR',
  },
  {
    by: 'stt_b',
    how: 'a failure in its log',
    reads: inLog(logged({ code: 402 }, {})),
    words: '402',
    type: 'provider_error',
  },
  {
    by: 'stt_b',
    how: 'a delivery it gave up',
    reads: inLog(logged(done, { attempts: 11 })),
    words: 'could not deliver',
    type: 'result_lost',
  },
  {
    by: 'stt_b',
    how: 'a delivery that is not here',
    reads: inLog(logged(done, { attempts: 1, code: 200 })),
    words: 'delivered',
    type: 'result_lost',
  },
  {
    by: 'stt_c',
    how: 'a refused submission',
    reads: onSubmit(422, { detail: { code: 'invalid_parameters', message: 'No such model' } }),
    words: 'No such model',
    type: 'provider_error',
    code: 'invalid_parameters',
  },
  {
    by: 'stt_c',
    how: 'a recording it could not fetch',
    reads: onSubmit(400, {
      detail: { status: 'invalid_url', message: 'Failed to download the file' },
    }),
    words: 'Failed to download the file',
    type: 'audio_unreachable',
    code: 'invalid_url',
  },
  {
    by: 'stt_c',
    how: 'a delivered failure',
    reads: onCallback({ type: 'speech_to_text_transcription_failed', data: { status: 'failed' } }),
    words: 'failure',
    type: 'provider_error',
  },
];

test.each(cases.map((one) => [one.by, one.how, one] as const))(
  'the error of %s for %s has the neutral id and the reason of the vendor',
  (by, _how, { reads, words, type, code }) => {
    const product = providers[by].transcribe;
    if (!product) throw new Error(`${by} has no transcription product`);
    const { kind, failure } = reads(product);
    expect(kind).toBe('failed');
    const error = failure && advised(failure);
    expect(error).toMatchObject({ type, provider_code: code ?? null });
    expect(error?.message).toStartWith(`${by} `);
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain(providerNames[by]);
  },
);
