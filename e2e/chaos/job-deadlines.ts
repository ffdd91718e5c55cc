// Vendors with whom no job can finish: one refuses for ever, one cannot be reached, one never ends.
// Gateways are killed before, while and after the deadline comes.
import type { SQL } from 'bun';
import { freePort } from '../free-port.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { push, reachDeadlines, setPace } from './job-chaos.ts';
import type { Chaos } from './job-chaos.ts';

const rounds = 4;
const jobsARound = 6;
const longestLifeMs = 300;
const killsAtDeadline = 3;
const neverMs = 600_000;

/** Given to a gateway: an address where nothing listens. */
export function unreachableDeepgram(): Record<string, string> {
  return { DEEPGRAM_BASE_URL: `http://127.0.0.1:${freePort()}` };
}

export async function refuseForEver(sandbox: SandboxProcess): Promise<void> {
  await setPace(sandbox, { processing_ms: neverMs });
  await sandbox.fault('/assemblyai', 'rate_limited', { method: 'POST' });
}

/** Submits jobs to dying gateways, and lets their deadlines pass while gateways go on dying. */
export async function playDeadlines(chaos: Chaos, store: SQL): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const pushing = Array.from({ length: jobsARound }, () => push(chaos));
    await killAfterAMoment(chaos);
    await Promise.all(pushing);
  }
  await reachDeadlines(store);
  for (let kill = 0; kill < killsAtDeadline; kill += 1) await killAfterAMoment(chaos);
}

async function killAfterAMoment(chaos: Chaos): Promise<void> {
  await Bun.sleep(Math.random() * longestLifeMs);
  await Promise.all(
    chaos.gateways.map(async (gateway) => {
      await gateway.kill9();
      chaos.kills += 1;
      await gateway.restart();
    }),
  );
}
