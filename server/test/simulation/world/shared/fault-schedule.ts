// What happens to the servers of a store that gateways share, and to gateways in the middle of their
// work.
import { type FaultKind, pick, type Plan } from '../plan.ts';
import type { Life } from '../scheduler.ts';
import type { Slot } from '../slot.ts';
import type { World } from '../world.ts';
import { longestStaleMs, type SharedStore } from './servers.ts';

export function faultsOfServers(
  { random, note, sleep, incidents }: World,
  { trouble, hang, restart, failOver }: SharedStore,
  life: Life,
): Partial<Record<FaultKind, () => Promise<void>>> {
  const add = (kind: FaultKind, didHappen: boolean, lastsMs: number) => {
    if (didHappen) incidents.add(kind, { lastsMs });
  };
  const failOverSoon = (kind: FaultKind, lagMs: number) => {
    // Mostly soon: while there is no primary, hardly anything happens.
    const [promotedAfterMs, backAfterMs] = [300 + random() ** 3 * 8000, 100 + random() * 8000];
    const didHappen = failOver({ lagMs, wakes: random() < 0.5, promotedAfterMs, backAfterMs });
    add(kind, didHappen, lagMs + promotedAfterMs + backAfterMs + longestStaleMs);
  };
  return {
    lost_connections: async () => {
      trouble.lostShare = random() * 0.2;
      note('faults', 'connections to the store break now and then');
      await sleep(life, random() * 5000);
      trouble.lostShare = 0;
    },
    conflicts: async () => {
      trouble.conflictShare = random() * 0.3;
      note('faults', 'transactions are in conflict now and then');
      await sleep(life, random() * 5000);
      trouble.conflictShare = 0;
    },
    slow_commits: async () => {
      const usualMs = trouble.commitMs;
      trouble.commitMs = random() < 0.5 ? 50 : random() * 5000;
      note('faults', `a commit takes ${Math.round(trouble.commitMs)} ms`);
      const end = incidents.begin('slow_commits');
      await sleep(life, random() * 8000);
      trouble.commitMs = usualMs;
      end();
    },
    hanging_server: async () => {
      const ms = random() < 0.5 ? random() * 1000 : random() * 12_000;
      add('hanging_server', hang(ms), ms);
    },
    server_restart: async () => {
      const ms = random() * 3000;
      add('server_restart', restart(ms), ms);
    },
    failover: async () => failOverSoon('failover', 0),
    lossy_failover: async () => failOverSoon('lossy_failover', 20 + random() * 500),
  };
}

/** Now and then there are rows in the journal that no version can read. */
export function spoilJournal(
  { random, note, makeLife, scheduler, sleep, incidents }: World,
  { addFaultyRows, trouble }: SharedStore,
  isOver: () => boolean,
): void {
  const life = makeLife('faults');
  // Two gateways that fail at the same row mark it at different times.
  trouble.rollbackMs = 400;
  const spoil = async () => {
    await sleep(life, random() * 1000);
    if (isOver()) return;
    // Mostly few, because the wrong row must not be another one that cannot be read.
    const rows = 1 + Math.floor(random() ** 4 * 20);
    addFaultyRows(rows);
    note('faults', `${rows} rows of the journal cannot be read`);
    incidents.add('faulty_row');
    void spoil();
  };
  scheduler.after(0, life, () => void spoil());
}

export type GatewayFaults = Record<
  (typeof targetedKinds)[number],
  (gateway: Slot) => Promise<void>
>;

const targetedKinds = ['kill', 'power_loss', 'freeze', 'stop'] as const;
/** The share of calls to a vendor, of callbacks that were answered, and of other answers. */
const shares = { call: 0.02, callback: 0.8, answer: 0.005 };

/**
 * A gateway is hit while a vendor works for it, or just after it has answered: what it had promised
 * by then must be in the store.
 */
export function targetGateways(
  world: World,
  plan: Plan,
  faults: GatewayFaults,
  isOver: () => boolean,
): void {
  const { random, scheduler, gateways, outside, answered, incidents } = world;
  const kinds = targetedKinds.filter((kind) => plan.faults.has(kind));
  const hit = (life: Life, share: number, withinMs: number) => {
    if (isOver() || random() >= share) return;
    const kind = pick(random, kinds.length > 0 ? kinds : (['kill'] as const));
    scheduler.after(random() * withinMs, undefined, () => {
      const gateway = gateways.find((one) => one.life() === life);
      if (gateway?.state() !== 'up') return;
      incidents.add('targeted');
      void faults[kind](gateway);
    });
  };
  const { fetch } = outside;
  outside.fetch = (life, url, init) => {
    hit(life, shares.call, 300);
    return fetch(life, url, init);
  };
  answered.work = (path, life) => {
    hit(life, path.startsWith('/callbacks/') ? shares.callback : shares.answer, 5);
  };
}
