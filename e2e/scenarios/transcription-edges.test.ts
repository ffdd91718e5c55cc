// Edge cases of transcription: an unreachable store, the sandbox's own host, a refused language.
import { test } from 'bun:test';
import { SQL } from 'bun';
import { createDatabase, serverAddress } from '../database.ts';
import { startGateway, startGatewayProcess } from '../harness.ts';
import { interview, runJob, submitJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';

test('an unreachable store gives a 503 for a new job and for a read', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({ database_url: database.url });
  const { id } = await submitJob(gateway, { provider: 'stt_a' });
  const admin = new SQL(serverAddress(), { max: 1 });
  const name = new URL(database.url).pathname.slice(1);
  await admin.unsafe(`alter database ${name} with allow_connections false`);
  await admin.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  const submitted = await gateway.post('/v1/transcriptions', { audio_url: interview });
  proves('choice.503.transcription-store', () => {
    expect(submitted.status).toBe(503);
    expect(submitted.body).toMatchObject({ error: { type: 'provider_not_available' } });
  });
  await proves('errors.jobs.503', async () =>
    expect((await gateway.get(`/v1/jobs/${id}`)).status).toBe(503),
  );
  await admin.unsafe(`alter database ${name} with allow_connections true`);
  await admin.close();
});

test("in sandbox mode audio may be on the sandbox's host, and nowhere else private", async () => {
  await using gateway = await startGatewayProcess();
  const [, host = ''] = /simulated on http:\/\/([^\s;]+)/.exec(gateway.output()) ?? [];
  const audioUrl = `https://${host}/audio/talk.wav`;
  await proves('requests.audio-url.sandbox-host', async () =>
    expect((await runJob(gateway, { audio_url: audioUrl })).status).toBe('completed'),
  );
  const other = { audio_url: 'https://127.0.0.1:1/audio/talk.wav' };
  expect((await gateway.post('/v1/transcriptions', other)).status).toBe(400);
});

test('a job fails with the reason for which stt_b refused its language', async () => {
  await using gateway = await startGateway();
  const job = await runJob(gateway, {
    provider: 'stt_b',
    language: 'de',
    provider_options: { stt_b: { model: 'nova-2-medical' } },
  });
  proves('jobs.language.refused', () => {
    expect(job.status).toBe('failed');
    expect(job.error).toMatchObject({ type: 'provider_error', provider_status: 400 });
    expect(job.error?.message).toContain('No such model/language/tier combination found.');
  });
});
