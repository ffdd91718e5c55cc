// One run of the whole gateway: everything that happens in it follows from its seed.
import type { FaultPoint } from '../../../src/platform/fault-points.ts';
import { startCallers, startMorning } from './callers.ts';
import type { Tenant, Wish } from './callers.ts';
import { inspectSoon } from './inspect.ts';
import { judge } from './judge.ts';
import { openOutside } from './outside.ts';
import type { Outside } from './outside.ts';
import { pick, planOf } from './plan.ts';
import type { Cuts, FaultKind, Plan } from './plan.ts';
import { fateOfServers, spoilJournal, strikeGateways } from './shared/fate.ts';
import type { FateOfGateways } from './shared/fate.ts';
import type { Template } from './template.ts';
import { adminToken, makeWorld } from './world.ts';
import type { Slot, World } from './world.ts';

export interface Run {
  seed: number;
  plan: Plan;
  /** What must not be; empty when all went well. */
  faults: string[];
  story: readonly string[];
  simulatedMs: number;
  /** The part of it in which nothing was open. */
  nightMs: number;
  steps: number;
  /** How often what happened. */
  counts: Map<string, number>;
}

/** How often what a fault point offers happens; some are reached rarely. */
const pointShares: Partial<Record<string, number>> = {
  journal_group_fails: 0.7,
  renewal_missed: 0.5,
  cleanup_lost: 0.3,
};
/** A key is freed with its hold, and once more after it: it expires only where both are lost. */
const sharedPointShares = { ...pointShares, cleanup_lost: 0.6, journal_group_fails: 0.3 };
const usualShare = 0.05;
const longestStartMs = 60_000;
/** Jobs have ended by their deadline, and deliveries were tried again. */
const longestEndMs = 25 * 60_000;

/** Must be called from a turn of the event loop and not from a promise: it runs all promises itself. */
function play(
  seed: number,
  template: Template,
  cuts: Cuts,
): Omit<Run, 'faults'> & {
  evidence: Omit<Parameters<typeof judge>[0], 'read'>;
  world: World;
} {
  const { shared } = template;
  const plan = planOf(seed, cuts, shared !== undefined);
  shared?.restore();
  const sharing = shared && { ...shared, gateways: plan.gateways, commitMs: plan.commitMs };
  const world = makeWorld(seed, template.folder, plan.settings, sharing);
  const { scheduler } = world;
  // Managers rotate keys.
  const tenants = template.tenants.map((tenant) => ({ ...tenant }));
  const wishes: Wish[] = [];
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  openOutside(world, { ...plan, faults: new Set() }, template.secrets);
  const isOpened = open(world, tenants, plan);
  scheduler.runUntil(longestStartMs, isOpened);
  const faulty = openOutside(world, plan, template.secrets);
  const endsAt = scheduler.now() + plan.activeMs;
  const isOver = () => scheduler.now() >= endsAt;
  const { running } = startCallers(world, plan, tenants, wishes, isOver);
  startFate(world, plan, isOver, count);
  if (plan.faults.has('fault_points')) {
    const shares: typeof pointShares = plan.isShared ? sharedPointShares : pointShares;
    const happensAt = (point: FaultPoint) => {
      const isNow = !isOver() && world.random() < (shares[point] ?? usualShare);
      if (isNow) count(`point ${point}`);
      return isNow;
    };
    for (const { injected } of world.versions) if (injected) injected.happensAt = happensAt;
  }
  scheduler.runUntil(endsAt);
  calm(world, faulty);
  const giveUpAt = scheduler.now() + longestEndMs;
  while (scheduler.now() < giveUpAt) {
    scheduler.runUntil(scheduler.now() + 5000);
    if (running() === 0 && isQuiet(world)) break;
  }
  const isAllDone = running() === 0 && isQuiet(world);
  const inspected = isAllDone && !shared ? inspectSoon(world) : undefined;
  const nightMs = isAllDone ? plan.nightMs : 0;
  const waiting = nightMs === 0 ? running() : passNight(world, plan, tenants, wishes);
  for (const [what, times] of world.shared?.counts ?? []) counts.set(what, times);
  for (const wish of wishes) count(wish.kind);
  for (const { tries } of wishes) {
    for (const { answer } of tries)
      count(answer?.kind === 'answer' ? String(answer.status) : (answer?.kind ?? 'open'));
  }
  const evidence = {
    ...{ plan, wishes, outside: faulty, tenants, waiting, inspected },
    ...{ endedAt: scheduler.now(), count, files: world.files.list() },
    refusals: world.gateways.flatMap(({ refusals }) => refusals),
    gateways: world.gateways.map(({ state }) => state()),
    lostTimes: world.shared?.lostTimes ?? [],
    lowest: world.shared?.lowest ?? new Map(),
  };
  const { story } = world;
  return {
    seed,
    plan,
    story,
    simulatedMs: scheduler.now(),
    nightMs,
    steps: scheduler.steps(),
    counts,
    evidence,
    world,
  };
}

export async function simulate(seed: number, template: Template, cuts: Cuts = {}): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof play>>();
  setImmediate(() => {
    try {
      const r = play(seed, template, cuts);
      resolve(r);
    } catch (error) {
      reject(error);
    }
  });
  // In a running gateway these end the process.
  const unhandled: string[] = [];
  const note = (error: unknown) => void unhandled.push(`no one handled: ${String(error)}`);
  process.on('unhandledRejection', note);
  try {
    const { evidence, world, ...run } = await promise;
    using ended = world;
    await new Promise<void>((done) => setImmediate(done));
    ended.shared?.close();
    const faults = await judge({ ...evidence, read: ended.read });
    return { ...run, faults: [...faults, ...new Set(unhandled)] };
  } finally {
    process.off('unhandledRejection', note);
  }
}

/** Nothing happens for hours, and then a few callers come. Returns how many are never answered. */
function passNight(world: World, plan: Plan, tenants: readonly Tenant[], wishes: Wish[]): number {
  const { scheduler, random, gateway, rest } = world;
  world.note('fate', `for ${(plan.nightMs / 3_600_000).toFixed(1)} hours nothing happens`);
  if (random() < 0.3) gateway.kill(false);
  rest.nightEndsAt = scheduler.now() + plan.nightMs;
  scheduler.runUntil(rest.nightEndsAt + settlingMs);
  const isSameDay = plan.nightMs < 20 * 3_600_000;
  const { running } = startMorning(world, tenants, wishes, isSameDay);
  scheduler.runUntil(scheduler.now() + longestEndMs, () => running() === 0);
  scheduler.runUntil(scheduler.now() + settlingMs);
  return running();
}

/** Work that is repeated has run by then, and what was paid is booked. */
const settlingMs = 15_000;

/** Starts the gateway and pays the opening balances in. */
function open(world: World, tenants: readonly Tenant[], plan: Plan): () => boolean {
  const life = world.makeLife('opener');
  let isOpened = false;
  const work = async () => {
    for (const gateway of world.gateways) await gateway.start();
    for (const [at, { accountId }] of tenants.entries()) {
      const path = `/admin/v1/accounts/${accountId}/topups`;
      const body = { amount_usd: (plan.opening[at] ?? 0) / 1_000_000, reason: 'opening' };
      await world.call(life, { path, key: adminToken, body });
    }
    isOpened = true;
  };
  world.scheduler.after(0, life, () => void work());
  return () => isOpened;
}

/** What happens to the gateway, its disk and its clock, and when. */
function startFate(
  world: World,
  plan: Plan,
  isOver: () => boolean,
  count: (what: string) => void,
): void {
  const { random, disk, scheduler } = world;
  const life = world.makeLife('fate');
  let { gateway } = world;
  const lives = fateOfGateways(world);
  /** At any time, or when an answer has just left: what it says must be true by then. */
  const kill = (isPowerLoss: boolean) => {
    if (world.shared || random() < 0.4) return gateway.kill(isPowerLoss);
    const place = pick(random, ['/callbacks/', '/v1/search', '/v1/search', '/']);
    const laterMs = pick(random, [0, 0, 2, 60]) * random();
    world.note('fate', `the next answer to ${place} is the last`);
    world.answered.work = (path) => {
      if (!path.startsWith(place)) return;
      world.answered.work = undefined;
      scheduler.after(laterMs, undefined, () => gateway.kill(isPowerLoss));
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
      world.note('fate', `the clock of ${own?.name} jumps by ${Math.round(ms)} ms`);
      if (own) own.clockOffsetMs += ms;
    },
    slow_disk: async () => {
      disk.syncMs = random() < 0.5 ? 50 : random() * 7000;
      world.note('fate', `a sync takes ${Math.round(disk.syncMs)} ms`);
      await world.sleep(life, random() * 8000);
      disk.syncMs = 0.5;
    },
    full_disk: async () => {
      world.note('fate', 'the disk is full');
      disk.isFull = true;
      await world.sleep(life, random() * 8000);
      disk.isFull = false;
      world.note('fate', 'the disk has room');
    },
    busy_disk: async () => {
      disk.busyShare = random() * 0.3;
      world.note('fate', 'the file is locked now and then');
      await world.sleep(life, random() * 5000);
      disk.busyShare = 0;
    },
    bucket_fails: async () => {
      world.note('fate', 'the bucket fails now and then');
      world.files.bucket.failShare = random() * 0.6;
      await world.sleep(life, random() * 8000);
      world.files.bucket.failShare = 0;
    },
    ...(world.shared ? fateOfServers(world, world.shared, life) : {}),
  };
  const possible = (Object.keys(acts) as FaultKind[]).filter((kind) => plan.faults.has(kind));
  const intensity = 500 + random() ** 2 * (world.shared ? 6000 : 20_000);
  const turn = async () => {
    await world.sleep(life, random() * intensity);
    if (isOver()) return;
    if (world.gateways.length > 1) gateway = pick(random, world.gateways);
    const kind = possible[Math.floor(random() * possible.length)];
    if (kind !== undefined && (gateway.state() !== 'down' || disk.isFull)) {
      count(kind);
      await acts[kind]?.();
    }
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
    spoilJournal(world, world.shared, isOver, count);
  }
  if (plan.faults.has('strike')) strikeGateways(world, plan, lives, isOver, count);
}

/** What can happen to one of the gateways. */
function fateOfGateways({ random, note, scheduler }: World): FateOfGateways {
  return {
    kill: async (gateway) => gateway.kill(false),
    power_loss: async (gateway) => gateway.kill(true),
    stop: (gateway) => gateway.stop(),
    freeze: async (gateway) => {
      const own = gateway.life();
      const ms = random() * 30_000;
      note('fate', `${own?.name} freezes for ${Math.round(ms)} ms`);
      if (own) own.frozenUntil = scheduler.now() + ms;
    },
  };
}

function calm(
  { disk, files, gateways, note, shared, rest, answered }: World,
  outside: Outside,
): void {
  note('fate', 'from now on everything works');
  rest.isCalm = true;
  answered.work = undefined;
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

/** No job is open, no event waits for its receiver, and nothing is held. */
function isQuiet({ gateways, read }: World): boolean {
  if (gateways.some((gateway) => gateway.state() !== 'up')) return false;
  const rows = read(
    `select (select count(*) from jobs where finished_at is null)
       + (select count(*) from deliveries where state in ('pending'))
       + (select count(*) from holds) + (select count(*) from deferred where trouble is null)
       + (select count(*) from allowances) as open`,
  );
  return rows !== undefined && Number(rows[0]?.['open']) === 0;
}
