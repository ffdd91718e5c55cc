// The ledger: money moves in grouped commits, once by its id, and is on disk before we say so.
import type { ClaimEntry, ClaimOutcome, ClaimRef } from '../domain/ledger/claims.ts';
import { assertMoney } from '../domain/ledger/decide.ts';
import type { Outcome } from '../domain/ledger/decide.ts';
import type {
  Entry,
  HoldEntry,
  RefundEntry,
  ReleaseEntry,
  SettleEntry,
  TopupEntry,
} from '../domain/ledger/entries.ts';
import { makeReservations } from '../domain/ledger/reservations.ts';
import type { KnownAccount, Reservations } from '../domain/ledger/reservations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { RequestRow } from '../store/requests.ts';
import { groupCommit } from './group-commit.ts';
import { weighJob } from './job-rider.ts';
import { postBatch } from './post-batch.ts';
import type { Occasion, Posted, Posting, Rider } from './post-batch.ts';
import { putOff } from './put-off.ts';

export interface Ledger {
  hold: (entry: Omit<HoldEntry, 'kind'>, rider?: Rider) => Promise<Posted['outcome']>;
  settle: (entry: Omit<SettleEntry, 'kind'>, rider?: Rider) => Promise<Posted['outcome']>;
  release: (entry: Omit<ReleaseEntry, 'kind'>, rider?: Rider) => Promise<Posted['outcome']>;
  topup: (entry: Omit<TopupEntry, 'kind'>) => Promise<Posted['outcome']>;
  adjust: (entry: Omit<TopupEntry, 'kind'>) => Promise<Posted['outcome']>;
  refund: (entry: Omit<RefundEntry, 'kind'>) => Promise<Posted['outcome']>;
  /** Takes an Idempotency-Key, or says who has it. */
  claim: (entry: Omit<ClaimEntry, 'kind'>) => Promise<ClaimOutcome>;
  /** Gives a key back where there is no hold to release with it. */
  free: (claim: ClaimRef) => Promise<void>;
  /** Logs a request that moved no money, without anybody waiting for it. */
  record: (request: RequestRow) => void;
  /** What requests of an account hold in memory, beside what the store tells. */
  reserved: (account_id: string) => number;
  /** Every account as memory has it; undefined where nothing is held in memory. */
  inMemory: () => Map<string, KnownAccount> | undefined;
  /** Drops what was held in memory longer than it may. */
  expire: (now: number) => void;
  /** Resolves when everything taken so far is committed. */
  idle: () => Promise<void>;
  /** How many entries wait for a commit. */
  depth: () => number;
}

export interface LedgerDevices {
  database: Database;
  clock: Clock;
  log: Log;
  /** Told of every batch that was committed. */
  onBatch?: (size: number, ms: number) => void;
  settings?: Pick<Settings, 'key_requests_per_minute'>;
}

export function makeLedger(devices: LedgerDevices): Ledger {
  const { database, clock, log, onBatch, settings } = devices;
  const key_requests_per_minute = settings?.key_requests_per_minute;
  const nowMs = () => clock.now().getTime();
  // Where other processes move money as well, only a row tells them what is held.
  const reservations = database.engine === 'sqlite' ? makeReservations() : undefined;
  const commits = groupCommit<Posting, Posted>({
    clock,
    perform: async (batch, repeated) => {
      const occasion = { now: nowMs(), repeated, key_requests_per_minute };
      return postKnowing(reservations, database, batch, occasion);
    },
    troubleOf: storeTrouble,
    weigh: ({ answer, job }) => (answer?.body?.length ?? 0) + weighJob(job),
    ...(onBatch ? { onBatch } : {}),
  });
  const enter = async (entry: Entry, rider: Rider = {}) => {
    const { account_id } = entry;
    assertMoney(entry);
    const answered = reservations?.pend(account_id, mostTakenBy(entry));
    try {
      const { outcome } = await commits.add({ ...rider, account_id, entry });
      warnOfExcess(log, entry, outcome);
      return outcome;
    } finally {
      answered?.();
    }
  };
  const in_memory = reservations && key_requests_per_minute === undefined;
  return {
    ...(in_memory ? inMemory(reservations, enter, nowMs) : onDisk(enter)),
    topup: (entry) => enter({ ...entry, kind: 'topup' }),
    adjust: (entry) => enter({ ...entry, kind: 'adjust' }),
    refund: (entry) => enter({ ...entry, kind: 'refund' }),
    claim: async (entry) => {
      const { account_id } = entry;
      return (await commits.add({ account_id, claim: { ...entry, kind: 'claim' } })).claim;
    },
    free: async (under) => {
      await commits.add({ account_id: under.account_id, under, free: true });
    },
    record: (request) => {
      commits.add({ account_id: request.account_id, request }).catch((error: unknown) => {
        log.warn({ err: error, request_id: request.id }, 'a request could not be logged');
      });
    },
    reserved: (account_id) => reservations?.sumOf(account_id) ?? 0,
    inMemory: () => reservations?.inspect(),
    expire: (now) => reservations?.expire(now),
    idle: commits.idle,
    depth: commits.depth,
  };
}

type Enter = (entry: Entry, rider?: Rider) => Promise<Posted['outcome']>;
type Holding = Pick<Ledger, 'hold' | 'settle' | 'release'>;

function onDisk(enter: Enter): Holding {
  return {
    hold: (entry, rider) => enter({ ...entry, kind: 'hold' }, rider),
    settle: (entry, rider) => enter({ ...entry, kind: 'settle' }, rider),
    release: (entry, rider) => enter({ ...entry, kind: 'release' }, rider),
  };
}

/** What a plain request holds is in memory; everything else, and what does not fit, on disk. */
function inMemory(reservations: Reservations, enter: Enter, nowMs: () => number): Holding {
  const disk = onDisk(enter);
  const isPlain = ({ uncapped, at_least }: Omit<HoldEntry, 'kind'>, rider: Rider) =>
    uncapped === true && at_least === undefined && !(rider.job ?? rider.under ?? rider.request);
  return {
    hold: async (entry, rider = {}) => {
      if (!isPlain(entry, rider)) return disk.hold(entry, rider);
      return reservations.take({ ...entry, kind: 'hold' }, nowMs()) ?? disk.hold(entry, rider);
    },
    settle: async (entry, rider) => {
      const reserved = reservations.settle(entry.id, entry.account_id);
      if (!reserved) return disk.settle(entry, rider);
      try {
        return await enter({ ...entry, kind: 'settle', reserved }, rider);
      } finally {
        reservations.drop(entry.id);
      }
    },
    release: async (entry, rider) => {
      if (!reservations.find(entry.id, entry.account_id)) return disk.release(entry, rider);
      reservations.drop(entry.id);
      return { kind: 'released', again: false };
    },
  };
}

/** Tells the store what is held in memory, and learns from it what is free. */
async function postKnowing(
  reservations: Reservations | undefined,
  database: Database,
  batch: readonly Posting[],
  occasion: Occasion,
): Promise<Posted[]> {
  if (!reservations) return (await postBatch(database, batch, occasion)).posted;
  const ids = [...new Set(batch.map(({ account_id }) => account_id))];
  try {
    const put_off = putOff(reservations, database, batch, occasion);
    if (put_off) return await put_off;
    const reserved = Object.fromEntries(ids.map((id) => [id, reservations.sumOf(id)]));
    const { posted, free } = await postBatch(database, batch, { ...occasion, reserved });
    for (const id of ids) reservations.learn(id, free[id]);
    return posted;
  } catch (error) {
    // Nobody knows what became of it.
    for (const id of ids) reservations.learn(id, undefined);
    throw error;
  }
}

function mostTakenBy(entry: Entry): number {
  if (entry.kind === 'hold') return entry.amount;
  return entry.kind === 'adjust' ? Math.max(0, -entry.amount) : 0;
}

/** A cost above its hold is a mistake in our prices; the operator should know both figures. */
function warnOfExcess(log: Log, entry: Entry, outcome: Posted['outcome'] | Outcome): void {
  if (outcome.kind !== 'settled' || outcome.asked <= outcome.cost || outcome.again) return;
  log.warn(
    { hold_id: entry.id, asked_micro_usd: outcome.asked, charged_micro_usd: outcome.cost },
    'a cost above its hold was settled at the hold',
  );
}
