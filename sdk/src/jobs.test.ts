// Waiting for a job: until it is completed, until it fails, or until the caller has had enough.
import { expect, test } from 'bun:test';
import { createClient } from './client.ts';
import { JobFailedError, TimedOutError } from './errors.ts';
import { job_id, jobIn, startStandIn } from './stand-in.ts';

const api_key = 'sk_live_test';
const reading = (status: Parameters<typeof jobIn>[0]) => () => Response.json(jobIn(status));

test('a wait reads until the job is completed and tells every state on the way', async () => {
  await using gateway = startStandIn([reading('queued'), reading('running'), reading('completed')]);
  const { jobs } = createClient({ url: gateway.url, api_key });
  const seen: string[] = [];
  const on_progress = ({ status }: { status: string }) => void seen.push(status);
  const job = await jobs.wait(job_id, { poll_ms: 1, on_progress });
  expect(job.result.text).toBe('Hello there.');
  expect(seen).toEqual(['queued', 'running', 'completed']);
  expect(gateway.asked[0]?.path).toBe(`/v1/jobs/${job_id}`);
});

test('a job that fails is thrown with its reason', async () => {
  await using gateway = startStandIn([reading('running'), reading('failed')]);
  const { jobs } = createClient({ url: gateway.url, api_key });
  const error = await jobs.wait(job_id, { poll_ms: 1 }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(JobFailedError);
  expect((error as JobFailedError).reason.type).toBe('audio_unreachable');
});

test('a wait survives a gateway that is away for a moment', async () => {
  const away = () => new Response('starting', { status: 503 });
  await using gateway = startStandIn([away, reading('completed')]);
  const { jobs } = createClient({ url: gateway.url, api_key });
  expect((await jobs.wait(job_id, { poll_ms: 1 })).status).toBe('completed');
});

test('a wait that is over says that the job goes on', async () => {
  await using gateway = startStandIn([reading('running')]);
  const { jobs } = createClient({ url: gateway.url, api_key });
  const waiting = jobs.wait(job_id, { poll_ms: 1, timeout_ms: 50 });
  const error = await waiting.catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(TimedOutError);
  expect((error as Error).message).toContain('goes on');
});

test('an abort ends the wait with the given reason', async () => {
  await using gateway = startStandIn([reading('running')]);
  const { jobs } = createClient({ url: gateway.url, api_key });
  const stop = new AbortController();
  const on_progress = () => stop.abort(new Error('enough'));
  const waiting = jobs.wait(job_id, { poll_ms: 1, signal: stop.signal, on_progress });
  expect(await waiting.catch((failure: Error) => failure.message)).toBe('enough');
});
