// What a seed decides before a run begins: how long it lasts, who takes part, and which faults can
// occur. Half of the kinds of faults are switched off in each run, so that rare combinations of the
// others occur.
import { seededRandom } from '../seeded-random.ts';
import type { Random } from '../seeded-random.ts';

export const faultKinds = [
  'kill',
  'power_loss',
  'stop',
  'freeze',
  'clock_jump',
  'slow_disk',
  'full_disk',
  'busy_disk',
  'vendor_slow',
  'vendor_refuses',
  'vendor_breaks',
  'vendor_price',
  'dead_receiver',
  'fault_points',
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
export type FaultKind = (typeof faultKinds | typeof serverFaultKinds)[number];

/** With these a gateway may not be able to start. */
export const storeFaultKinds: readonly FaultKind[] = [
  'full_disk',
  'busy_disk',
  ...serverFaultKinds,
];
/** The disk of a gateway that shares its store has nothing on it. */
const diskFaultKinds: readonly FaultKind[] = ['slow_disk', 'full_disk', 'busy_disk'];

export const callerKinds = [
  'honest',
  'retrying',
  'impatient',
  'hostile',
  'cached',
  'reader',
  'agent',
  'extractor',
  'transcriber',
  'operator',
] as const;
export type CallerKind = (typeof callerKinds)[number];

export interface Plan {
  seed: number;
  /** How long callers act. */
  activeMs: number;
  faults: ReadonlySet<FaultKind>;
  callers: readonly CallerKind[];
  /** The opening balance of each account, in micro-USD: often close to zero. */
  opening: readonly number[];
  /** Settings of the gateway that differ from the usual ones. */
  settings: Readonly<Record<string, string>>;
  /** They share a store. */
  isShared: boolean;
  gateways: number;
}

/** What a shorter run leaves out; see shrink.ts. */
export interface Cuts {
  without?: readonly FaultKind[];
  /** Callers beyond this number do not take part. */
  callers?: number;
  activeMs?: number;
}

export function planOf(seed: number, cuts: Cuts = {}, isShared = false): Plan {
  const random = seededRandom(seed);
  const kinds: readonly FaultKind[] = isShared
    ? [...faultKinds.filter((kind) => !diskFaultKinds.includes(kind)), ...serverFaultKinds]
    : faultKinds;
  const faults = kinds.filter(() => random() < 0.5);
  const count = 3 + Math.floor(random() * 8);
  const callers = Array.from({ length: count }, () => pick(random, callerKinds));
  const opening = [0, 1].map(() => pick(random, [20_000, 60_000, 200_000, 5_000_000]));
  const settings = random() < 0.3 ? crowded : {};
  const activeMs = 5000 + Math.floor(random() ** 2 * 90_000);
  return {
    seed,
    activeMs: Math.min(activeMs, cuts.activeMs ?? Infinity),
    faults: new Set(faults.filter((kind) => !cuts.without?.includes(kind))),
    callers: callers.slice(0, cuts.callers ?? count),
    opening,
    settings,
    isShared,
    gateways: isShared ? 2 + Math.floor(random() * 2) : 1,
  };
}

/** One call at a time, and a long wait for it. */
const crowded = {
  TRIVIUM_PROVIDER_CONCURRENCY: '1',
  TRIVIUM_PROVIDER_QUEUE: '100',
  TRIVIUM_PROVIDER_QUEUE_MS: '60000',
};

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
