// A gateway killed with -9 while uploads are submitted: by a signed address, by the public address
// and with the request. No job is submitted or charged twice, and no file is left.
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { startBucket } from '../uploads/bucket.ts';
import { acceptedBy, makeWav, sha256, upload } from '../uploads/recordings.ts';
import { configureSpeech, waitUntilSettled } from './job-chaos.ts';

const limitMs = 180_000;
const kills = 2;
const settleLimitMs = 60_000;
const providers = ['stt_a', 'stt_b', 'stt_c'] as const;

test.concurrent.each(['a signed address', 'the public address', 'the request'])(
  'by %s',
  async (way) => {
    await using sandbox = await startSandboxProcess();
    await using bucket = await startBucket();
    await configureSpeech(sandbox, { processing_ms: 100, retry_every_ms: 300 });
    const port = freePort();
    const env = {
      PORT: String(port),
      ...(way === 'a signed address' ? bucket.env : {}),
      ...(way === 'the public address' ? { TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}` } : {}),
    };
    await using gateway = await startGateway({ sandbox: sandbox.url, env });
    const digests: string[] = [];
    const jobs: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      for (const [at, provider] of providers.entries()) {
        const bytes = makeWav(700_000, kill * providers.length + at + 1);
        digests.push(sha256(bytes));
        const { audio_url } = await upload(gateway, bytes);
        jobs.push((await submitJob(gateway, { audio_url, provider })).id);
      }
      await Bun.sleep(kill * 40);
      await gateway.kill9();
      await gateway.restart();
    }
    await endUnknown(gateway);
    const ended = await Promise.all(jobs.map((id) => waitForJob(gateway, id, hasEnded)));
    const accepted = (await acceptedBy(sandbox.url)).map(({ file }) => file?.sha256);
    const twice = digests.filter((one) => accepted.filter((other) => other === one).length > 1);
    expect(twice).toEqual([]);
    const completed = ended.filter(({ status }) => status === 'completed');
    // What was being submitted to a vendor that cannot be asked ends with a reason, and is free.
    for (const { status, error } of ended) {
      if (status === 'failed') expect(lostTypes).toContain(error?.type ?? '');
    }
    expect(completed.length).toBeGreaterThan(0);
    expect(await chargedIn(gateway)).toBe(completed.length);
    const left = () => [...bucket.list(), ...filesOf(gateway)];
    for (let tries = 0; left().length > 0 && tries < 250; tries += 1) await Bun.sleep(20);
    expect(left()).toEqual([]);
  },
  limitMs,
);

const lostTypes = ['submission_unknown', 'result_lost', 'deadline_exceeded'];

/** Waits for the others, then reaches the deadline of jobs that cannot be looked up. */
async function endUnknown(gateway: Gateway): Promise<void> {
  const store = new SQL({ adapter: 'sqlite', filename: join(gateway.store_dir, 'trivium.sqlite') });
  await store.unsafe('pragma busy_timeout = 5000');
  await waitUntilSettled(store, settleLimitMs);
  const now = Date.now();
  await store.unsafe(
    `update jobs set deadline_at = ${now}, run_at = ${now}
       where finished_at is null and attempt_status = 'unknown'`,
  );
  await store.close();
}

async function chargedIn(gateway: Gateway): Promise<number> {
  const { body } = await gateway.get('/v1/jobs?limit=100');
  return (body as { jobs: { cost_usd: number }[] }).jobs.filter(({ cost_usd }) => cost_usd > 0)
    .length;
}

function filesOf(gateway: Gateway): string[] {
  const folder = join(gateway.store_dir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
}
