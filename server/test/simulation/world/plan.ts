// What a seed decides before a run begins: how long it lasts, who takes part, and which faults can
// occur. Half of the kinds of faults are switched off in each run, so that rare combinations of the
// others occur.
import { type Random, seededRandom } from '../seeded-random.ts';

export const faultKinds = [
  'kill',
  'power_loss',
  'stop',
  'freeze',
  'clock_jump',
  'slow_disk',
  'full_disk',
  'busy_disk',
  'bucket_fails',
  'vendor_slow',
  'vendor_refuses',
  'vendor_breaks',
  'vendor_price',
  'dead_receiver',
  'fault_points',
  'at_commit',
  'group_fails',
] as const;

/** Of the servers of a store that gateways share. */
export const serverFaultKinds = [
  'lost_connections',
  'conflicts',
  'slow_commits',
  'hanging_server',
  'server_restart',
  'failover',
  'lossy_failover',
] as const;
/** Also where gateways share a store: see `shared/fault-schedule.ts`. */
const sharedFaultKinds = ['targeted', 'faulty_row'] as const;
export const allFaultKinds = [...faultKinds, ...serverFaultKinds, ...sharedFaultKinds] as const;
export type FaultKind = (typeof allFaultKinds)[number];

/** With these a gateway may not be able to start. */
export const storeFaultKinds: readonly FaultKind[] = [
  'full_disk',
  'busy_disk',
  ...serverFaultKinds,
];
/** Faults that make a caller wait. */
export const slowKinds: readonly FaultKind[] = [
  ...(['kill', 'power_loss', 'stop', 'freeze', 'clock_jump', 'slow_disk', 'full_disk'] as const),
  ...(['busy_disk', 'bucket_fails', 'vendor_slow', 'vendor_refuses', 'vendor_breaks'] as const),
  ...(['fault_points', 'at_commit'] as const),
];
/** Gateways that share a store have nothing on their disks, and no one uploads to them. */
const diskFaultKinds: readonly FaultKind[] = [
  ...(['slow_disk', 'full_disk', 'busy_disk', 'bucket_fails'] as const),
];

export const callerKinds = [
  'honest',
  'retrying',
  'impatient',
  'hostile',
  'cached',
  'reader',
  'agent',
  'extractor',
  'collector',
  'fuser',
  'tagged',
  'rater',
  'transcriber',
  'operator',
  'manager',
  'capped',
  'uploader',
  'openai',
  'application',
] as const;
/** These need a bucket, or send a recording. */
const aloneKinds: readonly CallerKind[] = ['uploader', 'openai'];
/** What they ask for is not the same in the last release. */
export const newKinds: ReadonlySet<CallerKind> = new Set([
  ...(['manager', 'collector', 'fuser', 'tagged', 'rater', 'application'] as const),
]);
/**
 * A burster searches several times at once. Those of an overload occupy the engines, or wait for one of
 * several; see scene and idle time. Those of load bursts are in `shared/load-bursts.ts`.
 */
export type CallerKind =
  | (typeof callerKinds)[number]
  | ('burster' | 'occupier' | 'waiter' | 'returning')
  | ('spender' | 'recaller' | 'withdrawer' | 'submitter');

/**
 * `crowded`: one call at a time. `overload`: the same, and every engine is slow and occupied. `bursts`:
 * several gateways spend from one account, which has a lot at times, and nearly nothing at others.
 */
export type Scene = 'usual' | 'crowded' | 'overload' | 'bursts';

export interface Plan {
  seed: number;
  scene: Scene;
  /** How long callers act. */
  activeMs: number;
  /** How long nothing happens afterwards. */
  idleMs: number;
  faults: ReadonlySet<FaultKind>;
  callers: readonly CallerKind[];
  /** The opening balance of each account, in micro-USD: often close to zero. */
  opening: readonly number[];
  /** Settings of the gateway that differ from the usual ones. */
  settings: Readonly<Record<string, string>>;
  /** Searches are repeated on other engines, for which the third account pays. */
  hasShadows: boolean;
  /** They share a store. */
  isShared: boolean;
  /** How long a commit of the shared store takes, where nothing is slow. */
  commitMs: number;
  gateways: number;
}

/** What a shorter run leaves out; see shrink.ts. */
export interface Cuts {
  without?: readonly FaultKind[];
  /** Callers beyond this number do not take part. */
  callers?: number;
  activeMs?: number;
  idleMs?: number;
}

export function planOf(seed: number, cuts: Cuts = {}, isShared = false): Plan {
  const random = seededRandom(seed);
  const kinds: readonly FaultKind[] = isShared
    ? allFaultKinds.filter((kind) => !diskFaultKinds.includes(kind))
    : faultKinds;
  const faults = kinds.filter(() => random() < 0.5);
  const count = 3 + Math.floor(random() * 8);
  const taking = callerKinds.filter((kind) => !isShared || !aloneKinds.includes(kind));
  const callers = Array.from({ length: count }, () => pick(random, taking));
  const opening = [0, 1, 2].map(() => pick(random, [20_000, 60_000, 200_000, 5_000_000]));
  const scene = sceneBy(random());
  const activeMs = 5000 + Math.floor(random() ** 2 * 90_000);
  const usual: Plan = {
    ...{ seed, scene, activeMs, idleMs: idleBy(random()), callers, opening, isShared },
    ...{ faults: new Set(faults), settings: scene === 'usual' ? {} : crowded },
    gateways: isShared ? 2 + Math.floor(random() * 2) : 1,
    commitMs: 0.3,
    hasShadows: false,
  };
  const plan = isShared ? sharing(usual, random) : alone(usual, random);
  return {
    ...plan,
    activeMs: Math.min(plan.activeMs, cuts.activeMs ?? Infinity),
    idleMs: Math.min(plan.idleMs, cuts.idleMs ?? Infinity),
    faults: new Set([...plan.faults].filter((kind) => !cuts.without?.includes(kind))),
    callers: plan.callers.slice(0, cuts.callers ?? plan.callers.length),
  };
}

/** What only one gateway on its own store meets. */
function alone(plan: Plan, random: Random): Plan {
  if (plan.scene === 'overload') return overloaded(plan, random);
  const isGrouped = plan.faults.has('group_fails');
  const bursters = isGrouped || random() < 0.5 ? (['burster'] as const) : [];
  // Who has no money has no charges.
  const opening = isGrouped ? [5_000_000, ...plan.opening.slice(1)] : plan.opening;
  const settings = { ...plan.settings, ...(random() < 0.4 ? inBucket : {}) };
  const hasShadows = random() < 0.2;
  // A panel asks the same engines.
  const others = plan.callers.filter((kind) => !hasShadows || kind !== 'fuser');
  const callers = [...bursters, ...others, ...(random() < 0.3 ? ['application' as const] : [])];
  const usual = { ...plan, settings, opening, callers, hasShadows };
  return random() < 0.2 ? prompt(usual) : usual;
}

/** Its place among the accounts. */
export const shadowPayer = 2;

export function shadowSettings(key: string): Record<string, string> {
  return {
    TRIVIUM_SHADOW_SHARE: '1',
    TRIVIUM_SHADOW_ENGINES: 'engine_c,engine_f',
    TRIVIUM_SHADOW_KEY: key,
  };
}

/** Nothing is slow, so answers must come in time, also to those beside a crowd of another account. */
function prompt(plan: Plan): Plan {
  const faults = new Set([...plan.faults].filter((kind) => !slowKinds.includes(kind)));
  // Every third one belongs to the other account.
  const crowd: readonly CallerKind[] = [
    'burster',
    'burster',
    'honest',
    'burster',
    'burster',
    'honest',
  ];
  const opening = plan.scene === 'crowded' ? [5_000_000, 5_000_000, 5_000_000] : plan.opening;
  const callers = plan.scene === 'crowded' ? [...crowd, ...plan.callers] : plan.callers;
  return { ...plan, faults, callers, opening };
}

/** In half of the runs: up to two days, after which answers under a key have expired. */
function idleBy(roll: number): number {
  return Math.max(0, roll - 0.5) * 2 * 48 * 3_600_000;
}

function sceneBy(roll: number): Scene {
  if (roll < 0.2) return 'overload';
  return roll < 0.4 ? 'crowded' : 'usual';
}

/**
 * Requests here wait for one engine after the other, nearly as long as they may. Nothing else fails
 * but groups of charges, which change no answer, so that no other rule explains what goes wrong.
 */
function overloaded(plan: Plan, random: Random): Plan {
  // Of every three callers in a row, one has the second account.
  const threeOf = (kind: CallerKind) => [kind, kind, kind];
  const occupiers = Array.from({ length: 6 + Math.floor(random() * 3) }, () => threeOf('occupier'));
  // Expired holds are swept now and then, so only some of them are missed while a request waits.
  const waiters = Array.from({ length: 3 }, () => threeOf('waiter'));
  const callers = [...occupiers, ...waiters, threeOf('reader')].flat();
  return {
    ...plan,
    activeMs: 120_000 + Math.floor(random() * 100_000),
    faults: new Set([...plan.faults].filter((kind) => kind === 'group_fails')),
    callers,
    opening: [50_000_000, 50_000_000, 50_000_000],
    settings: { ...crowded, ...severalEngines },
  };
}

/** Gateways that share a store must see each other all the time, so they have no idle times. */
function sharing(usual: Plan, random: Random): Plan {
  // In some runs gateways die and nothing else fails, so stricter rules apply.
  const isSteady = random() < 0.25;
  const faults = [...usual.faults].filter((kind) => !isSteady || !isUnsteady(kind));
  const plan = { ...usual, idleMs: 0, faults: new Set(faults) };
  if (plan.scene !== 'usual' || random() < 0.2) return plan;
  const some = plan.callers.slice(0, 4);
  // Several gateways meet at a row that cannot be read only while the journal is long.
  const more: FaultKind[] = random() < 0.5 ? ['faulty_row'] : [];
  return {
    ...plan,
    scene: 'bursts',
    faults: new Set([...faults, ...more]),
    activeMs: 9000 + Math.floor(random() * 6000),
    // Every third one belongs to the other account.
    callers: ['spender', 'withdrawer', 'recaller', 'spender', 'retrying', 'submitter', ...some],
    opening: [pick(random, [400_000, 1_500_000, 4_000_000]), 5_000_000, 5_000_000],
    // The standby may be far away. Transactions of several gateways then meet more often.
    commitMs: pick(random, [1, 3, 12]),
  };
}

/** With these, gateways take one that lives for dead. */
function isUnsteady(kind: FaultKind): boolean {
  return kind === 'freeze' || kind === 'clock_jump' || serverFaultKinds.some((one) => one === kind);
}

/** One call at a time, and a long wait for it. */
const crowded = {
  TRIVIUM_PROVIDER_CONCURRENCY: '1',
  TRIVIUM_PROVIDER_QUEUE: '100',
  TRIVIUM_PROVIDER_QUEUE_MS: '60000',
};

/** Uploads are in a bucket, and not in a folder. */
const inBucket = {
  TRIVIUM_S3_URL: 'https://bucket.example/recordings/of-trivium',
  AWS_ACCESS_KEY_ID: 'access-of-the-simulation',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-simulation',
};

/** `auto` asks one engine after the other. */
const severalEngines = { TRIVIUM_FAILOVER: 'on' };

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
