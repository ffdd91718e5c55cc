// A provider that is switched off while it works on jobs: it gets no new ones, and finishes those
// that it has. A job that fails without it has a correct reason.
import { test } from 'bun:test';
import { configureSpeech } from '../chaos/job-chaos.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway } from '../harness.ts';
import { hasEnded, interview, passTime, submitJob, waitForJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { startTestSandbox } from '../test-sandbox.ts';

const neverMs = 600_000;

test('jobs of a provider that is switched off are finished, and no new ones are accepted', async () => {
  await using sandbox = await startTestSandbox();
  await using data = await emptyFolder();
  const key = `sk_live_${'k'.repeat(43)}`;
  const options = { sandbox: sandbox.url, data_dir: data.path };
  const env = { TRIVIUM_BOOTSTRAP_KEY: key };
  await using first = await startGateway({ ...options, env });
  await configureSpeech(sandbox, { processing_ms: neverMs });
  const accepted = await submitJob(first, {});
  await waitForJob(first, accepted.id, ({ attempt_status }) => attempt_status === 'waiting');
  await sandbox.fault('/assemblyai', 'rate_limited', { method: 'POST' });
  const queued = await submitJob(first, {});
  await waitForJob(first, queued.id, ({ updated_at, created_at }) => updated_at !== created_at);
  await first.stop();
  await sandbox.clearFaults();
  await configureSpeech(sandbox, { processing_ms: 1 });
  const changed = { TRIVIUM_DISABLED_PROVIDERS: 'stt_a', TRIVIUM_AUTO_TRANSCRIPTION: 'stt_b' };
  await using second = await startGateway({ ...options, env: { ...env, ...changed } });
  const done = await waitForJob(second, accepted.id, hasEnded);
  proves('job-states.choice-persisted', () =>
    expect(done).toMatchObject({ status: 'completed', provider: 'stt_a' }),
  );
  const asked = { audio_url: interview, provider: 'stt_a' };
  const refused = await second.post('/v1/transcriptions', asked);
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('disabled')]);
  expect((await submitJob(second, {})).provider).toBe('stt_b');
  passTime(
    second,
    `update jobs set deadline_at = created_at + 1, run_at = created_at + 1
       where id = '${queued.id}'`,
  );
  const over = await waitForJob(second, queued.id, hasEnded);
  proves('jobs.error.reason-true', () => {
    expect(over).toMatchObject({ status: 'failed', error: { type: 'deadline_exceeded' } });
    expect(over.error?.message).toStartWith(
      'The recording was not sent to stt_a before the deadline: the provider is disabled',
    );
  });
  const calls = (await sandbox.calls('/assemblyai')).filter(({ method }) => method === 'POST');
  expect(calls.length).toBeLessThanOrEqual(3);
});
