// The moves of a job when providers refuse, drop, stall and fail, and when the gateway dies.
import { afterAll, beforeAll, expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, passTime, readJob, runJob, submitJob, waitForJob } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { scenario } from '../verifies.ts';

let sandbox: SandboxProcess;
let gateway: Gateway;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
  gateway = await startGateway({ sandbox: sandbox.url });
});
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
});

const provider = 'stt_a';
const submitted = async () =>
  (await sandbox.calls('/assemblyai')).filter(({ method }) => method === 'POST').length;

scenario(
  'a job is queued, then running, and its attempt goes from submitting over waiting to completed',
  [
    'job-states.queued-to-running',
    'job-states.attempt-queued',
    'job-states.attempt-submitting',
    'job-states.attempt-waiting',
    'job-states.attempt-recorded-first',
    'job-states.no-other-move',
    'job.updated-at',
    'job.finished-at-null-before',
    'jobs.moves.normal',
    'jobs.attempt-status-diagnoses',
  ],
  async () => {
    await sandbox.clearCalls();
    await sandbox.fault('/assemblyai', 'slow', { times: 1, method: 'POST', delay_ms: 1000 });
    const { id } = await submitJob(gateway, { provider });
    const submitting = await waitForJob(gateway, id, (job) => job.attempt_status !== 'queued');
    expect(submitting).toMatchObject({ status: 'running', attempt_status: 'submitting' });
    expect(submitting).toMatchObject({ finished_at: null, result: null, error: null });
    const waiting = await waitForJob(gateway, id, (job) => job.attempt_status !== 'submitting');
    expect(waiting).toMatchObject({ status: 'running', attempt_status: 'waiting' });
    expect(waiting.updated_at > submitting.updated_at).toBe(true);
    const done = await waitForJob(gateway, id, hasEnded);
    expect(done).toMatchObject({ status: 'completed', created_at: submitting.created_at });
    expect(await submitted()).toBe(1);
  },
);

scenario(
  'a rate limit only delays a job, which is queued again and sent once more',
  ['transcribe.rate-limits-retried', 'jobs.rate-limited', 'jobs.moves.back-to-queued'],
  async () => {
    await sandbox.clearCalls();
    await sandbox.fault('/assemblyai', 'rate_limited', {
      times: 1,
      method: 'POST',
      retry_after: 2,
    });
    const { id } = await submitJob(gateway, { provider });
    const back = await waitForJob(gateway, id, (job) => job.status === 'running');
    expect(['queued', 'submitting']).toContain(back.attempt_status);
    const again = await waitForJob(gateway, id, (job) => job.attempt_status === 'queued');
    expect(again.status).toBe('running');
    const job = await waitForJob(gateway, id, hasEnded);
    expect(job.status).toBe('completed');
    expect(await submitted()).toBe(2);
  },
);

scenario(
  'a submission whose answer was lost is looked up, found and never sent again',
  [
    'transcribe.uncertain-never-resent',
    'transcribe.duplicate-never-charged',
    'job-states.attempt-unknown',
    'jobs.moves.unknown',
  ],
  async () => {
    await sandbox.clearCalls();
    const before = (await gateway.get('/v1/balance')).body as { balance_usd: number };
    await sandbox.fault('/assemblyai', 'cut', { times: 1, method: 'POST' });
    const { id } = await submitJob(gateway, { provider });
    const unknown = await waitForJob(gateway, id, (job) => job.attempt_status === 'unknown');
    expect(unknown.status).toBe('running');
    const job = await waitForJob(gateway, id, hasEnded);
    expect(job.status).toBe('completed');
    expect(await submitted()).toBe(1);
    const after = (await gateway.get('/v1/balance')).body as { balance_usd: number };
    const paid = before.balance_usd - after.balance_usd;
    expect(paid).toBeCloseTo(job.result?.usage?.cost_usd ?? NaN, 6);
  },
);

scenario(
  'a submission of which no trace is found ends at the deadline, without a charge',
  [
    'jobs.error.submission-unknown',
    'job-states.running-to-failed-at-deadline',
    'jobs.deadline.two-hours',
  ],
  async () => {
    await sandbox.clearCalls();
    await sandbox.fault('/assemblyai', 'dropped', { times: 1, method: 'POST' });
    const { id, created_at } = await submitJob(gateway, { provider });
    await waitForJob(gateway, id, (job) => job.attempt_status === 'unknown');
    const deadline = new Date(created_at).getTime() + 2 * 60 * 60 * 1000;
    // Moves the deadline only if it is where it should be.
    await passTime(
      gateway,
      `update jobs set deadline_at = ${Date.now()}, run_at = 0
       where id = '${id}' and deadline_at = ${deadline}`,
    );
    const job = await waitForJob(gateway, id, hasEnded);
    expect(job).toMatchObject({ status: 'failed', error: { type: 'submission_unknown' } });
    expect(await submitted()).toBe(1);
    expect((await gateway.get('/v1/balance')).body).toMatchObject({ held_usd: 0 });
  },
);

scenario(
  'a provider that never finishes fails the job at its deadline, which is a setting',
  ['jobs.error.deadline-exceeded', 'jobs.deadline.setting'],
  async () => {
    const env = { TRIVIUM_JOB_DEADLINE_MINUTES: '7' };
    await using other = await startGateway({ sandbox: sandbox.url, env });
    await sandbox.fault('/assemblyai', 'server_error', { method: 'GET' });
    const { id, created_at } = await submitJob(other, { provider });
    await waitForJob(other, id, (job) => job.attempt_status === 'waiting');
    const deadline = new Date(created_at).getTime() + 7 * 60 * 1000;
    await passTime(
      other,
      `update jobs set deadline_at = ${Date.now()}, run_at = 0
       where id = '${id}' and deadline_at = ${deadline}`,
    );
    const job = await waitForJob(other, id, hasEnded);
    expect(job).toMatchObject({ status: 'failed', error: { type: 'deadline_exceeded' } });
    await sandbox.clearFaults();
  },
);

scenario(
  'a synchronous transcript lost with the process is said to be lost, and not sent again',
  ['jobs.error.result-lost'],
  async () => {
    await sandbox.clearCalls();
    const { id } = await submitJob(gateway, { provider: 'stt_b' });
    await waitForJob(gateway, id, (job) => job.attempt_status === 'submitting');
    await gateway.kill9();
    await gateway.restart();
    const job = await waitForJob(gateway, id, hasEnded);
    expect(job).toMatchObject({ status: 'failed', error: { type: 'result_lost' } });
    const calls = (await sandbox.calls('/deepgram')).filter(({ method }) => method === 'POST');
    expect(calls).toHaveLength(1);
  },
);

scenario(
  'a job survives a kill -9 of its gateway, with the service it was given to',
  ['job-states.choice-persisted'],
  async () => {
    const { id } = await submitJob(gateway, {});
    await gateway.kill9();
    await gateway.restart();
    const job = await waitForJob(gateway, id, hasEnded);
    expect(job.provider).toBe('stt_a');
  },
);

scenario(
  'seven days after its end a job is gone, and its transcript with it',
  ['jobs.retention.deleted'],
  async () => {
    const { id } = await runJob(gateway, { provider });
    expect((await readJob(gateway, id)).status).toBe('completed');
    const week_ms = 7 * 24 * 60 * 60 * 1000;
    // As it is a week later: run_at stands for the end of the week after the end of the job.
    await passTime(
      gateway,
      `update jobs set run_at = run_at - ${week_ms}, finished_at = finished_at - ${week_ms}
       where id = '${id}' and run_at = finished_at + ${week_ms}`,
    );
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await gateway.get(`/v1/jobs/${id}`)).status === 404) return;
      await Bun.sleep(50);
    }
    expect((await gateway.get(`/v1/jobs/${id}`)).status).toBe(404);
  },
);
