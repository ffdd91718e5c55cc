// What happens to a gateway, its disk, its clock and its bucket, and when.
import type { Outside } from './outside.ts';
import { type FaultKind, pick, type Plan } from './plan.ts';
import { faultsOfServers, spoilJournal, targetGateways } from './shared/fault-schedule.ts';
import type { GatewayFaults } from './shared/fault-schedule.ts';
import type { Slot } from './slot.ts';
import type { World } from './world.ts';

export function startFaults(world: World, plan: Plan, isOver: () => boolean): void {
  const { random, disk, scheduler, incidents } = world;
  const life = world.makeLife('faults');
  let { gateway } = world;
  const lives = faultsOfGateways(world);
  /** At any time, or when an answer has just left: what it says must be true by then. */
  const kill = (isPowerLoss: boolean) => {
    const hit = lives[isPowerLoss ? 'power_loss' : 'kill'];
    if (world.shared || random() < 0.4) return void hit(gateway);
    const place = pick(random, ['/callbacks/', '/v1/search', '/v1/search', '/oauth/token', '/']);
    const laterMs = pick(random, [0, 0, 2, 60]) * random();
    world.note('faults', `the next answer to ${place} is the last`);
    world.answered.work = (path) => {
      if (!path.startsWith(place)) return;
      world.answered.work = undefined;
      scheduler.after(laterMs, undefined, () => void hit(gateway));
    };
  };
  const acts: Partial<Record<FaultKind, () => Promise<void>>> = {
    kill: async () => kill(false),
    power_loss: async () => kill(true),
    stop: () => lives.stop(gateway),
    freeze: () => lives.freeze(gateway),
    clock_jump: async () => {
      const own = gateway.life();
      const ms = (random() - 0.3) * 120_000;
      if (!own) return;
      world.note('faults', `the clock of ${own.name} jumps by ${Math.round(ms)} ms`);
      own.clockOffsetMs += ms;
      incidents.add('clock_jump');
    },
    at_commit: async () => {
      const [table, when] = [pick(random, tables), pick(random, ['before', 'after'] as const)];
      const hit = lives[random() < 0.5 ? 'kill' : 'power_loss'];
      world.note('faults', `the next commit of ${table} is the last, ${when} it`);
      world.commits.work = (commit) => {
        const isMeant = commit.when === when && commit.statements.includes(table);
        const one = world.gateways.find(
          (other) => commit.life === undefined || other.life() === commit.life,
        );
        if (!isMeant || !one) return false;
        world.commits.work = undefined;
        incidents.add('at_commit', { point: `${when} ${table}` });
        scheduler.after(0, undefined, () => void hit(one));
        return true;
      };
    },
    slow_disk: async () => {
      disk.syncMs = random() < 0.5 ? 50 : random() * 7000;
      world.note('faults', `a sync takes ${Math.round(disk.syncMs)} ms`);
      const end = incidents.begin('slow_disk');
      await world.sleep(life, random() * 8000);
      disk.syncMs = 0.5;
      end();
    },
    full_disk: async () => {
      world.note('faults', 'the disk is full');
      disk.isFull = true;
      await world.sleep(life, random() * 8000);
      disk.isFull = false;
      world.note('faults', 'the disk has room');
    },
    busy_disk: async () => {
      disk.busyShare = random() * 0.3;
      world.note('faults', 'the file is locked now and then');
      await world.sleep(life, random() * 5000);
      disk.busyShare = 0;
    },
    bucket_fails: async () => {
      world.note('faults', 'the bucket fails now and then');
      world.files.bucket.failShare = random() * 0.6;
      await world.sleep(life, random() * 8000);
      world.files.bucket.failShare = 0;
    },
    ...(world.shared ? faultsOfServers(world, world.shared, life) : {}),
  };
  const possible = (Object.keys(acts) as FaultKind[]).filter((kind) => plan.faults.has(kind));
  const intensity = 500 + random() ** 2 * (world.shared ? 6000 : 20_000);
  const turn = async () => {
    await world.sleep(life, random() * intensity);
    if (isOver()) return;
    if (world.gateways.length > 1) gateway = pick(random, world.gateways);
    const kind = possible[Math.floor(random() * possible.length)];
    if (kind !== undefined && (gateway.state() !== 'down' || disk.isFull)) await acts[kind]?.();
    void turn();
  };
  /** A supervisor starts what has ended. */
  const supervise = async (one: Slot) => {
    await world.sleep(life, world.pauseMs(100 + random() * 2000));
    if (one.state() === 'down') await one.start();
    void supervise(one);
  };
  scheduler.after(0, life, () => {
    for (const one of world.gateways) void supervise(one);
    if (possible.length > 0) void turn();
  });
  if (world.shared && plan.faults.has('faulty_row')) {
    spoilJournal(world, world.shared, isOver);
  }
  if (plan.faults.has('targeted')) targetGateways(world, plan, lives, isOver);
}

/** Where a commit and its acknowledgement must not come apart. */
const tables = [
  ...[
    'journal',
    'into transfers',
    'into deferred',
    'into holds',
    'from deferred',
    'into idempotency',
  ],
  ...['into jobs', 'update jobs', 'into callbacks', 'deliveries', 'uploads', 'oauth_refresh'],
];

/** What can happen to one of the gateways. */
function faultsOfGateways({ random, note, scheduler, incidents }: World): GatewayFaults {
  const end = (kind: 'kill' | 'power_loss') => async (gateway: Slot) => {
    if (!gateway.life()) return;
    incidents.add(kind);
    gateway.kill(kind === 'power_loss');
  };
  return {
    kill: end('kill'),
    power_loss: end('power_loss'),
    stop: async (gateway) => {
      if (gateway.state() !== 'up') return;
      const ended = incidents.begin('stop');
      await gateway.stop();
      ended();
    },
    freeze: async (gateway) => {
      const own = gateway.life();
      const ms = random() * 30_000;
      if (!own) return;
      note('faults', `${own.name} freezes for ${Math.round(ms)} ms`);
      own.frozenUntil = scheduler.now() + ms;
      incidents.add('freeze', { lastsMs: ms });
    },
  };
}

/** From now on everything works. */
export function calm(
  { disk, files, gateways, note, shared, rest, answered, commits }: World,
  outside: Outside,
): void {
  note('faults', 'from now on everything works');
  rest.isCalm = true;
  answered.work = undefined;
  commits.work = undefined;
  outside.calm();
  disk.isFull = false;
  disk.busyShare = 0;
  disk.syncMs = 0.5;
  files.bucket.failShare = 0;
  shared?.calm();
  for (const gateway of gateways) {
    const life = gateway.life();
    if (life) life.frozenUntil = 0;
  }
}
