// One run of the whole gateway: everything that happens in it follows from its seed.
import type { FaultPoint } from '../../../src/platform/fault-points.ts';
import type { Tenant, Operation } from './callers/caller.ts';
import { startCallers, startReturning } from './callers/callers.ts';
import { partsOf } from './coverage.ts';
import { adminToken } from './environment.ts';
import { calm, startFaults } from './fault-schedule.ts';
import { countRows, inspectSoon } from './inspect.ts';
import { check } from './checker.ts';
import { countTries } from './check-limits.ts';
import { openOutside } from './outside.ts';
import { newKinds, planOf, shadowPayer, shadowSettings } from './plan.ts';
import type { CallerKind, Cuts, Plan } from './plan.ts';
import type { Template } from './template.ts';
import { makeWorld, type World } from './world.ts';

export interface Run {
  seed: number;
  plan: Plan;
  /** What must not be; empty when all went well. */
  faults: string[];
  story: readonly string[];
  simulatedMs: number;
  /** The part of it in which nothing was open. */
  idleMs: number;
  steps: number;
  /** How often what happened. */
  counts: Map<string, number>;
  /** Which faults happened in which states. */
  pairs: ReadonlySet<string>;
}

/** How often what a fault point offers happens; some are reached rarely. */
const pointShares: Partial<Record<string, number>> = {
  renewal_missed: 0.5,
  cleanup_lost: 0.3,
};
/** A key is freed with its hold, and once more after it: it expires only where both are lost. */
const sharedPointShares = { ...pointShares, cleanup_lost: 0.6 };
const groupFailsShare = { alone: 0.7, shared: 0.3 };
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
  evidence: Omit<Parameters<typeof check>[0], 'read'>;
  world: World;
} {
  const { shared } = template;
  const planned = planOf(seed, cuts, shared !== undefined);
  const isUpgrade = (shared?.versions.length ?? 1) > 1;
  const isKnown = (kind: CallerKind) => !isUpgrade || !newKinds.has(kind);
  const plan = { ...planned, callers: planned.callers.filter(isKnown) };
  shared?.restore();
  const sharing = shared && { ...shared, gateways: plan.gateways, commitMs: plan.commitMs };
  const { key: shadowKey = '' } = template.tenants[shadowPayer] ?? {};
  const settings = { ...plan.settings, ...(plan.hasShadows ? shadowSettings(shadowKey) : {}) };
  const world = makeWorld(seed, template.folder, settings, sharing);
  const { scheduler } = world;
  // Managers rotate keys, and applications use codes.
  const tenants = template.tenants.map((tenant) => ({
    ...{ ...tenant, codes: [...tenant.codes], grants: [] },
  }));
  const operations: Operation[] = [];
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  openOutside(world, { ...plan, faults: new Set() }, template.secrets);
  const isOpened = open(world, tenants, plan);
  scheduler.runUntil(longestStartMs, isOpened);
  const faulty = openOutside(world, plan, template.secrets);
  const endsAt = scheduler.now() + plan.activeMs;
  const isOver = () => scheduler.now() >= endsAt;
  const { running } = startCallers(world, plan, tenants, operations, isOver);
  startFaults(world, plan, isOver);
  const shares: typeof pointShares = plan.isShared ? sharedPointShares : pointShares;
  const happensAt = (point: FaultPoint) => {
    const isGroup = point === 'journal_group_fails';
    const kind = isGroup ? 'group_fails' : 'fault_points';
    if (!plan.faults.has(kind) || isOver()) return false;
    const share = isGroup ? groupFailsShare[plan.isShared ? 'shared' : 'alone'] : shares[point];
    const isNow = world.random() < (share ?? usualShare);
    if (isNow) world.incidents.add(kind, { point });
    return isNow;
  };
  for (const { injected } of world.versions) if (injected) injected.happensAt = happensAt;
  scheduler.runUntil(endsAt);
  calm(world, faulty);
  const giveUpAt = scheduler.now() + longestEndMs;
  while (scheduler.now() < giveUpAt) {
    scheduler.runUntil(scheduler.now() + 5000);
    if (running() === 0 && isQuiet(world)) break;
  }
  const isAllDone = running() === 0 && isQuiet(world);
  const inspected = isAllDone && !shared ? inspectSoon(world) : undefined;
  const idleMs = isAllDone ? plan.idleMs : 0;
  const beforeIdle =
    idleMs === 0 ? undefined : { rows: countRows(world.openReader), tries: countTries(operations) };
  const waiting = idleMs === 0 ? running() : passIdleTime(world, plan, tenants, operations);
  for (const [what, times] of world.shared?.counts ?? []) counts.set(what, times);
  for (const { kind, point } of world.incidents.all)
    count(point ? (kind === 'at_commit' ? kind : `point ${point}`) : kind);
  for (const operation of operations) count(operation.kind);
  for (const { tries } of operations) {
    for (const { answer } of tries)
      count(answer?.kind === 'answer' ? String(answer.status) : (answer?.kind ?? 'open'));
  }
  const evidence = {
    ...{ plan, operations, outside: faulty, tenants, waiting, inspected, beforeIdle },
    unfinished: world.files.listUnfinished(),
    ...{ endedAt: scheduler.now(), count, files: world.files.list() },
    refusals: world.gateways.flatMap(({ refusals }) => refusals),
    gateways: world.gateways.map(({ state }) => state()),
    lostTimes: world.shared?.lostTimes ?? [],
    lowest: world.shared?.lowest ?? new Map(),
    uncovered: world.shared?.uncovered ?? new Set(),
    incidents: world.incidents.all,
    broken: world.invariants.faults,
  };
  const { story } = world;
  return {
    seed,
    plan,
    story,
    simulatedMs: scheduler.now(),
    idleMs,
    steps: scheduler.steps(),
    counts,
    pairs: new Set([...world.pairs, ...partsOf(plan)]),
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
    using reader = ended.openReader();
    const faults = await check({ ...evidence, read: reader.read });
    return { ...run, faults: [...faults, ...new Set(unhandled)] };
  } finally {
    process.off('unhandledRejection', note);
  }
}

/** Nothing happens for hours, and then a few callers come. Returns how many are never answered. */
function passIdleTime(
  world: World,
  plan: Plan,
  tenants: readonly Tenant[],
  operations: Operation[],
): number {
  const { scheduler, random, gateway, rest } = world;
  world.note('faults', `for ${(plan.idleMs / 3_600_000).toFixed(1)} hours nothing happens`);
  if (random() < 0.3) gateway.kill(false);
  rest.idleUntil = scheduler.now() + plan.idleMs;
  scheduler.runUntil(rest.idleUntil + settlingMs);
  const isSameDay = plan.idleMs < 20 * 3_600_000;
  const { running } = startReturning(
    world,
    plan.hasShadows ? tenants.slice(0, shadowPayer) : tenants,
    operations,
    isSameDay,
  );
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
