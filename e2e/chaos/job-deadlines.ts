// Vendors with which no job can finish: one always refuses, one is unreachable, one never ends.
// Gateways are killed before, at and after the deadline.
import type { SQL } from 'bun';
import { freePort } from '../free-port.ts';
import { isLong } from '../lengths.ts';
import { waitFor } from '../wait-for.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { submitUntilAccepted, reachDeadlines, configureSpeech } from './job-chaos.ts';
import type { Chaos } from './job-chaos.ts';

const rounds = isLong ? 4 : 1;
const jobsPerRound = 6;
const maxLifetimeMs = 300;
const killsAtDeadline = isLong ? 3 : 1;
const neverMs = 600_000;

/** Settings with an address on which no server listens. */
export function unreachableDeepgram(): Record<string, string> {
  return { DEEPGRAM_BASE_URL: `http://127.0.0.1:${freePort()}` };
}

export async function refuseAlways(sandbox: TestSandbox): Promise<void> {
  await configureSpeech(sandbox, { processing_ms: neverMs });
  await sandbox.fault('/assemblyai', 'rate_limited', { method: 'POST' });
}

/** Submits jobs while gateways are killed, then passes the deadlines and kills again. */
export async function runDeadlines(chaos: Chaos, store: SQL): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const submissions = Array.from({ length: jobsPerRound }, () => submitUntilAccepted(chaos));
    await killAfterAMoment(chaos);
    await Promise.all(submissions);
  }
  await submitUntilAccepted(chaos, 'stt_c');
  // Of a job that is being submitted when its gateway ends, it is unknown whether it was accepted.
  const accepted = `select id from jobs where attempt_status = 'waiting' and finished_at is null`;
  await waitFor(async () => ((await store.unsafe(accepted)) as unknown[])[0], {
    what: 'ElevenLabs has accepted a job',
  });
  await reachDeadlines(store);
  for (let kill = 0; kill < killsAtDeadline; kill += 1) await killAfterAMoment(chaos);
}

async function killAfterAMoment(chaos: Chaos): Promise<void> {
  await Bun.sleep(Math.random() * maxLifetimeMs);
  await Promise.all(
    chaos.gateways.map(async (gateway) => {
      await gateway.kill9();
      chaos.kills += 1;
      await gateway.restart();
    }),
  );
}
