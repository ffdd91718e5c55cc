// The ledger: every movement of money is an entry, committed in groups, once by its id. An entry is
// on disk before the ledger answers.
import type { ClaimEntry, ClaimOutcome, ClaimRef } from './core/idempotency-claims.ts';
import { assertMoney } from './core/decide.ts';
import type {
  Entry,
  HoldEntry,
  RefundEntry,
  ReleaseEntry,
  SettleEntry,
  TopupEntry,
} from './core/entries.ts';
import { makeReservations } from './core/reservations.ts';
import type { KnownAccount, Reservations } from './core/reservations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../store/database.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { groupCommit } from '../store/group-commit.ts';
import { noLinkedRows } from './linked-rows.ts';
import type { LinkedRows } from './linked-rows.ts';
import { bookBatch, makeBatchTask } from './book-batch.ts';
import type { BatchTask } from './book-batch.ts';
import { deferSettlement } from './defer-settlement.ts';
import type { RequestRow } from './core/request-row.ts';
import type { BatchContext, Posted, Posting, TransactionExtras } from './posting.ts';

type Outcome = Posted['outcome'];

/** The steps of a payment. */
interface PaymentSteps {
  hold: (entry: Omit<HoldEntry, 'kind'>, extras?: TransactionExtras) => Promise<Outcome>;
  settle: (entry: Omit<SettleEntry, 'kind'>, extras?: TransactionExtras) => Promise<Outcome>;
  release: (entry: Omit<ReleaseEntry, 'kind'>, extras?: TransactionExtras) => Promise<Outcome>;
}

export interface Ledger extends PaymentSteps {
  topup: (entry: Omit<TopupEntry, 'kind'>) => Promise<Outcome>;
  adjust: (entry: Omit<TopupEntry, 'kind'>) => Promise<Outcome>;
  refund: (entry: Omit<RefundEntry, 'kind'>) => Promise<Outcome>;
  /** Claims an Idempotency-Key for a request, or returns what the key is used for. */
  claim: (entry: Omit<ClaimEntry, 'kind'>) => Promise<ClaimOutcome>;
  /** Frees a claimed key of a request that has no hold to release. */
  freeClaim: (claim: ClaimRef) => Promise<void>;
  /** Logs a request that moved no money; the caller does not wait for it. */
  record: (request: RequestRow) => void;
  /** What requests of an account hold in memory, on top of the rows in the store. */
  reserved: (accountId: string) => number;
  /** Every account that memory knows; undefined where holds are rows only. */
  inMemory: () => Map<string, KnownAccount> | undefined;
  /** Removes expired holds from memory. */
  expire: (now: number) => void;
  /** Resolves when everything added so far is committed. */
  idle: () => Promise<void>;
  /** How many entries wait for a commit. */
  depth: () => number;
}

interface LedgerDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Called for each committed batch. */
  onBatch?: (size: number, ms: number) => void;
  settings?: Pick<Settings, 'key_requests_per_minute'>;
  /** Rows of other modules that change together with an entry. */
  linkedRows?: LinkedRows;
}

export function makeLedger(dependencies: LedgerDependencies): Ledger {
  const { database, clock, log, onBatch, settings, linkedRows = noLinkedRows } = dependencies;
  const task = makeBatchTask(linkedRows);
  const keyRequestsPerMinute = settings?.key_requests_per_minute;
  const nowMs = () => clock.now().getTime();
  // On PostgreSQL other gateways use the same balance, and only a row shows them a hold.
  const reservations = database.engine === 'sqlite' ? makeReservations() : undefined;
  const commits = groupCommit<Posting, Posted>({
    clock,
    perform: async (batch, repeated) => {
      const context = { now: nowMs(), repeated, key_requests_per_minute: keyRequestsPerMinute };
      return postBatch(reservations, database, task, batch, context);
    },
    troubleOf: storeTrouble,
    sizeOf: ({ answer, linked }) =>
      (answer?.body?.length ?? 0) + (linked ? linkedRows.size(linked) : 0),
    ...(onBatch ? { onBatch } : {}),
  });
  const post = async (entry: Entry, extras: TransactionExtras = {}) => {
    const { account_id } = entry;
    assertMoney(entry);
    const endPending = reservations?.addPending(account_id, maxDebitOf(entry));
    try {
      return (await commits.add({ ...extras, account_id, entry })).outcome;
    } finally {
      endPending?.();
    }
  };
  // The rate limit of a key is counted in the store, together with its holds.
  const holdsInMemory = reservations && keyRequestsPerMinute === undefined;
  return {
    ...(holdsInMemory ? stepsInMemory(reservations, post, nowMs) : stepsInStore(post)),
    topup: (entry) => post({ ...entry, kind: 'topup' }),
    adjust: (entry) => post({ ...entry, kind: 'adjust' }),
    refund: (entry) => post({ ...entry, kind: 'refund' }),
    claim: async (entry) => {
      const { account_id } = entry;
      return (await commits.add({ account_id, claim: { ...entry, kind: 'claim' } })).claim;
    },
    freeClaim: async (under) => {
      await commits.add({ account_id: under.account_id, under, free: true });
    },
    record: (request) => {
      commits.add({ account_id: request.account_id, request }).catch((error: unknown) => {
        log.warn({ err: error, request_id: request.id }, 'a request could not be logged');
      });
    },
    reserved: (accountId) => reservations?.sumOf(accountId) ?? 0,
    inMemory: () => reservations?.inspect(),
    expire: (now) => reservations?.expire(now),
    idle: commits.idle,
    depth: commits.depth,
  };
}

type Post = (entry: Entry, extras?: TransactionExtras) => Promise<Outcome>;

function stepsInStore(post: Post): PaymentSteps {
  return {
    hold: (entry, extras) => post({ ...entry, kind: 'hold' }, extras),
    settle: (entry, extras) => post({ ...entry, kind: 'settle' }, extras),
    release: (entry, extras) => post({ ...entry, kind: 'release' }, extras),
  };
}

/** Plain requests are held in memory, unless memory cannot decide; all others in the store. */
function stepsInMemory(reservations: Reservations, post: Post, nowMs: () => number): PaymentSteps {
  const inStore = stepsInStore(post);
  return {
    hold: async (entry, extras = {}) => {
      if (!isPlain(entry, extras)) return inStore.hold(entry, extras);
      const held = reservations.hold({ ...entry, kind: 'hold' }, nowMs());
      return held ?? inStore.hold(entry, extras);
    },
    settle: async (entry, extras) => {
      const reserved = reservations.beginSettle(entry.id, entry.account_id);
      if (!reserved) return inStore.settle(entry, extras);
      try {
        return await post({ ...entry, kind: 'settle', reserved }, extras);
      } finally {
        reservations.remove(entry.id);
      }
    },
    release: async (entry, extras) => {
      if (!reservations.find(entry.id, entry.account_id)) return inStore.release(entry, extras);
      reservations.remove(entry.id);
      return { kind: 'released', again: false };
    },
  };
}

/** No cap, no idempotency key, no job and no log row that has to be committed with the hold. */
function isPlain(
  { uncapped, at_least }: Omit<HoldEntry, 'kind'>,
  { linked, under, request }: TransactionExtras,
): boolean {
  return uncapped === true && at_least === undefined && !(linked ?? under ?? request);
}

/** Passes the holds in memory to the store, and takes over what it reports as available. */
async function postBatch(
  reservations: Reservations | undefined,
  database: Database,
  task: BatchTask,
  batch: readonly Posting[],
  context: BatchContext,
): Promise<Posted[]> {
  if (!reservations) return (await bookBatch(database, task, batch, context)).posted;
  const ids = [...new Set(batch.map(({ account_id }) => account_id))];
  try {
    const deferred = deferSettlement(reservations, database, task, batch, context);
    if (deferred) return await deferred;
    const reserved = Object.fromEntries(ids.map((id) => [id, reservations.sumOf(id)]));
    const { posted, free } = await bookBatch(database, task, batch, { ...context, reserved });
    for (const id of ids) reservations.setAvailable(id, free[id]);
    return posted;
  } catch (error) {
    // The batch may or may not have been committed.
    for (const id of ids) reservations.setAvailable(id, undefined);
    throw error;
  }
}

function maxDebitOf(entry: Entry): number {
  if (entry.kind === 'hold') return entry.amount;
  return entry.kind === 'adjust' ? Math.max(0, -entry.amount) : 0;
}
