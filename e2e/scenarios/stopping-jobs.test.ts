// Jobs in progress when their gateway ends: in the sandbox they survive a kill and a stop without
// any setting; in live mode a stop waits for synchronous transcriptions, and the log names those
// lost.
import { test } from 'bun:test';
import { configureSpeech } from '../chaos/job-chaos.ts';
import { startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import type { JobAnswer } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { waitFor } from '../wait-for.ts';

const services = ['stt_a', 'stt_b', 'stt_c'];

test('in the sandbox, jobs of every service survive a kill -9 and a stop, and are completed', async () => {
  await using gateway = await startGatewayProcess();
  const end = { 'kill -9': () => gateway.kill9(), stop: () => gateway.stop() };
  for (const [how, endNow] of Object.entries(end)) {
    const ids = await Promise.all(services.map((provider) => waitingJob(gateway, provider)));
    await endNow();
    await gateway.restart();
    for (const [at, id] of ids.entries()) {
      const job = await waitForJob(gateway, id, hasEnded);
      proves('jobs.sandbox.survive', () =>
        expect([how, services[at], job.status, job.error]).toEqual([
          how,
          services[at],
          'completed',
          null,
        ]),
      );
    }
  }
});

test('a stop waits for synchronous transcriptions', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGatewayProcess({ sandbox: sandbox.url });
  const ids: string[] = [];
  for (const provider of ['stt_b', 'stt_c']) {
    const mount = provider === 'stt_b' ? '/deepgram' : '/elevenlabs';
    await configureSpeech(sandbox, { processing_ms: 4000 });
    ids.push((await submitJob(gateway, { provider })).id);
    await hasRequest(sandbox, mount);
  }
  expect(await gateway.stop()).toBe(0);
  expect(gateway.output()).not.toContain('transcribes synchronously');
  await gateway.restart();
  for (const id of ids) {
    const job = await waitForJob(gateway, id, hasEnded);
    proves('jobs.stop.waits', () => expect(job.status).toBe('completed'));
  }
});

test('SIGINT does not wait for jobs, and the log names those that are lost', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGatewayProcess({ sandbox: sandbox.url });
  await configureSpeech(sandbox, { processing_ms: 600_000 });
  const { id } = await submitJob(gateway, { provider: 'stt_b' });
  await hasRequest(sandbox, '/deepgram');
  await gateway.stop('SIGINT');
  const lines = gateway.output().split('\n');
  const warned = lines.filter((line) => line.includes('transcribes synchronously'));
  proves('jobs.stop.logged', () => {
    expect(warned).toHaveLength(1);
    expect(JSON.parse(warned[0] ?? '')).toMatchObject({ job_id: id, provider: 'stt_b' });
  });
});

/** On a busy machine a job may end before it is seen waiting; then another one is submitted. */
async function waitingJob(gateway: Gateway, provider: string): Promise<string> {
  const submit = async () => {
    const { id } = await submitJob(gateway, { provider });
    const isWaiting = (job: JobAnswer) => job.attempt_status === 'waiting';
    const seen = await waitForJob(gateway, id, (job) => isWaiting(job) || hasEnded(job));
    return isWaiting(seen) ? id : '';
  };
  return waitFor(submit, { what: `a job of ${provider} waits` });
}

async function hasRequest(sandbox: TestSandbox, mount: '/deepgram' | '/elevenlabs') {
  await waitFor(() => sandbox.calls(mount), {
    what: 'the vendor has the request',
    until: (calls) => calls.some(({ method }) => method === 'POST'),
  });
}
