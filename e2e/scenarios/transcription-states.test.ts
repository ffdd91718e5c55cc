// The states of a job when providers refuse, drop, stall and fail, and when the gateway is killed.
import { afterAll, beforeAll, test } from 'bun:test';
import { startGateway, startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { hasEnded, passTime, readJob, runJob, submitJob, waitForJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { expect, proves } from '../proves.ts';
import { openStore } from '../store-file.ts';
import { waitFor } from '../wait-for.ts';

let sandbox: TestSandbox;
let gateway: GatewayProcess;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  gateway = await startGatewayProcess({ sandbox: sandbox.url });
  // The store itself records every change of a status, whichever code makes it.
  using store = openStore(gateway.store_dir);
  store.run('create table status_moves (move text not null)');
  store.run(`create trigger record_moves after update of status on jobs
    when old.status <> new.status
    begin insert into status_moves values (old.status || ' to ' || new.status); end`);
});
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
});

const provider = 'stt_a';
const submitted = async () =>
  (await sandbox.calls('/assemblyai')).filter(({ method }) => method === 'POST').length;

test('a job runs, and its attempt moves through submitting and waiting', async () => {
  await sandbox.clearCalls();
  await sandbox.fault('/assemblyai', 'slow', { times: 1, method: 'POST', delay_ms: 1000 });
  const { id } = await submitJob(gateway, { provider });
  const submitting = await waitForJob(gateway, id, (job) => job.attempt_status !== 'queued');
  proves(
    [
      'job-states.queued-to-running',
      'job-states.attempt-submitting',
      'job-states.attempt-recorded-first',
    ],
    () => expect(submitting).toMatchObject({ status: 'running', attempt_status: 'submitting' }),
  );
  proves('job.finished-at-null-before', () =>
    expect(submitting).toMatchObject({ finished_at: null, result: null, error: null }),
  );
  const waiting = await waitForJob(gateway, id, (job) => job.attempt_status !== 'submitting');
  proves(['job-states.attempt-waiting', 'jobs.attempt-status-diagnoses'], () =>
    expect(waiting).toMatchObject({ status: 'running', attempt_status: 'waiting' }),
  );
  proves('job.updated-at', () => expect(waiting.updated_at > submitting.updated_at).toBe(true));
  const done = await waitForJob(gateway, id, hasEnded);
  proves('jobs.moves.normal', () =>
    expect(done).toMatchObject({ status: 'completed', created_at: submitting.created_at }),
  );
  expect(await submitted()).toBe(1);
});

test('a rate limit delays a job: it is queued again and submitted once more', async () => {
  await sandbox.clearCalls();
  const limit = { times: 1, method: 'POST', retry_after: 1 };
  await sandbox.fault('/assemblyai', 'rate_limited', limit);
  const { id } = await submitJob(gateway, { provider });
  const again = await waitForJob(gateway, id, (job) => job.attempt_status === 'queued');
  proves(['jobs.moves.back-to-queued', 'job-states.attempt-queued'], () =>
    expect(['queued', 'running']).toContain(again.status),
  );
  const job = await waitForJob(gateway, id, hasEnded);
  await proves('transcribe.rate-limits-retried', async () => {
    expect(job.status).toBe('completed');
    expect(await submitted()).toBe(2);
  });
});

test('a submission whose answer was lost is looked up, found and never sent again', async () => {
  await sandbox.clearCalls();
  const before = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  await sandbox.fault('/assemblyai', 'cut', { times: 1, method: 'POST' });
  const { id } = await submitJob(gateway, { provider });
  const unknown = await waitForJob(gateway, id, (job) => job.attempt_status === 'unknown');
  proves('job-states.attempt-unknown', () => expect(unknown.status).toBe('running'));
  const job = await waitForJob(gateway, id, hasEnded);
  await proves(['transcribe.uncertain-never-resent', 'jobs.moves.unknown'], async () => {
    expect(job.status).toBe('completed');
    expect(await submitted()).toBe(1);
  });
  const after = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  const paid = before.balance_usd - after.balance_usd;
  proves('transcribe.duplicate-never-charged', () =>
    expect(paid).toBeCloseTo(job.result?.usage?.cost_usd ?? NaN, 6),
  );
});

test('a submission of unknown outcome fails at the deadline, without a charge', async () => {
  await sandbox.clearCalls();
  await sandbox.fault('/assemblyai', 'dropped', { times: 1, method: 'POST' });
  const { id, created_at } = await submitJob(gateway, { provider });
  await waitForJob(gateway, id, (job) => job.attempt_status === 'unknown');
  const deadline = new Date(created_at).getTime() + 2 * 60 * 60 * 1000;
  // The update changes the deadline only if it has the expected value.
  passTime(
    gateway,
    `update jobs set deadline_at = ${Date.now()}, run_at = 0
       where id = '${id}' and deadline_at = ${deadline}`,
  );
  const job = await waitForJob(gateway, id, hasEnded);
  proves(
    [
      'jobs.error.submission-unknown',
      'job-states.running-to-failed-at-deadline',
      'jobs.deadline.two-hours',
    ],
    () => expect(job).toMatchObject({ status: 'failed', error: { type: 'submission_unknown' } }),
  );
  expect(await submitted()).toBe(1);
  expect((await gateway.get('/v1/balance')).body).toMatchObject({ held_usd: 0 });
});

test('a provider that never finishes fails the job at its configured deadline', async () => {
  const env = { TRIVIUM_JOB_DEADLINE_MINUTES: '7' };
  await using other = await startGateway({ sandbox: sandbox.url, env });
  await sandbox.fault('/assemblyai', 'server_error', { method: 'GET' });
  const { id, created_at } = await submitJob(other, { provider });
  await waitForJob(other, id, (job) => job.attempt_status === 'waiting');
  const deadline = new Date(created_at).getTime() + 7 * 60 * 1000;
  passTime(
    other,
    `update jobs set deadline_at = ${Date.now()}, run_at = 0
       where id = '${id}' and deadline_at = ${deadline}`,
  );
  const job = await waitForJob(other, id, hasEnded);
  proves(['jobs.error.deadline-exceeded', 'jobs.deadline.setting'], () =>
    expect(job).toMatchObject({ status: 'failed', error: { type: 'deadline_exceeded' } }),
  );
  await sandbox.clearFaults();
});

test('a synchronous transcript lost with the process is not requested again', async () => {
  await sandbox.clearCalls();
  const { id } = await submitJob(gateway, { provider: 'stt_b' });
  // The vendor must have the request: a job it never received stays unknown until its deadline.
  await waitFor(() => sandbox.calls('/deepgram'), {
    what: 'the vendor has the request',
    until: ({ length }) => length > 0,
  });
  await gateway.kill9();
  await gateway.restart();
  const job = await waitForJob(gateway, id, hasEnded);
  await proves('jobs.error.result-lost', async () => {
    expect(job).toMatchObject({ status: 'failed', error: { type: 'result_lost' } });
    const calls = (await sandbox.calls('/deepgram')).filter(({ method }) => method === 'POST');
    expect(calls).toHaveLength(1);
  });
});

test('seven days after its end a job and its transcript are deleted', async () => {
  const { id } = await runJob(gateway, { provider });
  expect((await readJob(gateway, id)).status).toBe('completed');
  const weekMs = 7 * 24 * 60 * 60 * 1000;
  // As a week later: run_at of a finished job is the end of its retention.
  passTime(
    gateway,
    `update jobs set run_at = run_at - ${weekMs}, finished_at = finished_at - ${weekMs}
       where id = '${id}' and run_at = finished_at + ${weekMs}`,
  );
  await proves('jobs.retention.deleted', async () => {
    const { status } = await waitFor(() => gateway.get(`/v1/jobs/${id}`), {
      what: 'the job is deleted',
      until: (answer) => answer.status === 404,
    });
    expect(status).toBe(404);
  });
});

// Last, so that it sees the status changes of every job above, with faults, kills and deadlines.
test('every status change is a documented one', () => {
  using store = openStore(gateway.store_dir, { readonly: true });
  const moves = store.query<{ move: string }, []>('select distinct move from status_moves').all();
  proves('job-states.no-other-move', () =>
    expect(moves.map(({ move }) => move).toSorted()).toEqual([
      'queued to running',
      'running to completed',
      'running to failed',
    ]),
  );
});
