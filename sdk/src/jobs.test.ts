// Waiting for a job: until it completes, fails, times out or is aborted.
import { expect, test } from 'bun:test';
import { createClient } from './client.ts';
import { JobFailedError, TimedOutError } from './errors.ts';
import { jobId, jobIn, startStubGateway } from './stub-gateway.ts';

const apiKey = 'sk_live_test';
const reading = (status: Parameters<typeof jobIn>[0]) => () => Response.json(jobIn(status));

test('a wait polls until the job is completed and reports every state', async () => {
  await using gateway = startStubGateway([
    reading('queued'),
    reading('running'),
    reading('completed'),
  ]);
  const { jobs } = createClient({ url: gateway.url, api_key: apiKey });
  const seen: string[] = [];
  const onProgress = ({ status }: { status: string }) => void seen.push(status);
  const job = await jobs.wait(jobId, { poll_ms: 1, on_progress: onProgress });
  expect(job.result.text).toBe('Hello there.');
  expect(seen).toEqual(['queued', 'running', 'completed']);
  expect(gateway.requests[0]?.path).toBe(`/v1/jobs/${jobId}`);
});

test('a failed job is thrown with its reason', async () => {
  await using gateway = startStubGateway([reading('running'), reading('failed')]);
  const { jobs } = createClient({ url: gateway.url, api_key: apiKey });
  const error = await jobs.wait(jobId, { poll_ms: 1 }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(JobFailedError);
  expect((error as JobFailedError).reason.type).toBe('audio_unreachable');
});

test('a wait survives a gateway that is unreachable for a moment', async () => {
  const away = () => new Response('starting', { status: 503 });
  await using gateway = startStubGateway([away, reading('completed')]);
  const { jobs } = createClient({ url: gateway.url, api_key: apiKey });
  expect((await jobs.wait(jobId, { poll_ms: 1 })).status).toBe('completed');
});

test('a wait that times out says that the job keeps running', async () => {
  await using gateway = startStubGateway([reading('running')]);
  const { jobs } = createClient({ url: gateway.url, api_key: apiKey });
  const waiting = jobs.wait(jobId, { poll_ms: 1, timeout_ms: 50 });
  const error = await waiting.catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(TimedOutError);
  expect((error as Error).message).toContain('keeps running');
});

test('an abort ends the wait with its reason', async () => {
  await using gateway = startStubGateway([reading('running')]);
  const { jobs } = createClient({ url: gateway.url, api_key: apiKey });
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error('enough'));
  const waiting = jobs.wait(jobId, { poll_ms: 1, signal: stop.signal, on_progress: onProgress });
  expect(await waiting.catch((failure: Error) => failure.message)).toBe('enough');
});
