// What happens to the servers of a store that gateways share.
import type { FaultKind } from '../plan.ts';
import type { Life } from '../scheduler.ts';
import type { World } from '../world.ts';
import type { SharedStore } from './servers.ts';

export function fateOfServers(
  { random, note, sleep }: World,
  { trouble, hang, restart, failOver }: SharedStore,
  life: Life,
): Partial<Record<FaultKind, () => Promise<void>>> {
  const failOverSoon = (lagMs: number) =>
    failOver({
      lagMs,
      wakes: random() < 0.5,
      promotedAfterMs: 500 + random() * 8000,
      backAfterMs: 100 + random() * 8000,
    });
  return {
    lost_connections: async () => {
      trouble.lostShare = random() * 0.2;
      note('fate', 'connections to the store break now and then');
      await sleep(life, random() * 5000);
      trouble.lostShare = 0;
    },
    conflicts: async () => {
      trouble.conflictShare = random() * 0.3;
      note('fate', 'transactions are in conflict now and then');
      await sleep(life, random() * 5000);
      trouble.conflictShare = 0;
    },
    slow_commits: async () => {
      trouble.commitMs = random() < 0.5 ? 50 : random() * 5000;
      note('fate', `a commit takes ${Math.round(trouble.commitMs)} ms`);
      await sleep(life, random() * 8000);
      trouble.commitMs = 0.3;
    },
    hanging_server: async () => hang(random() < 0.5 ? random() * 1000 : random() * 12_000),
    server_restart: async () => restart(random() * 3000),
    failover: async () => failOverSoon(0),
    lossy_failover: async () => failOverSoon(20 + random() * 500),
  };
}
