// The ledger: money moves in grouped commits, once by its id, and is on disk before we say so.
import type { ClaimEntry, ClaimOutcome, ClaimRef } from '../domain/ledger/claims.ts';
import type {
  Entry,
  HoldEntry,
  Outcome,
  RefundEntry,
  ReleaseEntry,
  SettleEntry,
  TopupEntry,
} from '../domain/ledger/decide.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { RequestRow } from '../store/requests.ts';
import { groupCommit } from './group-commit.ts';
import { weighJob } from './job-rider.ts';
import { postBatch } from './post-batch.ts';
import type { Posted, Posting, Rider } from './post-batch.ts';

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
  const commits = groupCommit<Posting, Posted>({
    clock,
    perform: (batch, repeated) => {
      const now = clock.now().getTime();
      return postBatch(database, batch, { now, repeated, key_requests_per_minute });
    },
    troubleOf: storeTrouble,
    weigh: ({ answer, job }) => (answer?.body?.length ?? 0) + weighJob(job),
    ...(onBatch ? { onBatch } : {}),
  });
  const enter = async (entry: Entry, rider: Rider = {}) => {
    const { account_id } = entry;
    const { outcome } = await commits.add({ ...rider, account_id, entry });
    warnOfExcess(log, entry, outcome);
    return outcome;
  };
  return {
    hold: (entry, rider) => enter({ ...entry, kind: 'hold' }, rider),
    settle: (entry, rider) => enter({ ...entry, kind: 'settle' }, rider),
    release: (entry, rider) => enter({ ...entry, kind: 'release' }, rider),
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
    idle: commits.idle,
    depth: commits.depth,
  };
}

/** A cost above its hold is a mistake in our prices; the operator should know both figures. */
function warnOfExcess(log: Log, entry: Entry, outcome: Posted['outcome'] | Outcome): void {
  if (outcome.kind !== 'settled' || outcome.asked <= outcome.cost || outcome.again) return;
  log.warn(
    { hold_id: entry.id, asked_micro_usd: outcome.asked, charged_micro_usd: outcome.cost },
    'a cost above its hold was settled at the hold',
  );
}
