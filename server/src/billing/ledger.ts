// The ledger: every movement of money is an entry, which is committed once, by its id. Entries are
// committed in groups. An entry is on disk before the ledger returns its outcome.
import type { ClaimEntry, ClaimOutcome, ClaimRef } from '../requests/core/index.ts';
import { assertMoney, settledFrom } from './core/decide.ts';
import type {
  HoldEntry,
  LedgerEntry,
  RefundEntry,
  ReleaseEntry,
  SettleEntry,
  TopupEntry,
} from './core/entries.ts';
import { makeReservations, type Reservations } from './core/reservations.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type FailedTask, groupCommit } from '../store/index.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../settings/index.ts';
import {
  type LinkedRows,
  patienceOf,
  type Posted,
  type PostedOutcome,
  type Posting,
  type TransactionExtras,
} from './posting.ts';
import { makeBatchTask } from './book-batch.ts';
import { type Funding, makeWholeBalance, servedBy } from './funding.ts';
import { journaledLog, makeLogQueue } from '../requests/index.ts';
import { countGateways } from './store/gateways.ts';
import { makeSharedBalance } from './shared/shared-balance.ts';
import type { StoppedAccounts } from './stopped-accounts.ts';

type Audited = Pick<TransactionExtras, 'audit'>;

type Step<E, Outcome = Promise<PostedOutcome>> = (
  entry: Omit<E, 'kind'>,
  extras?: TransactionExtras,
) => Outcome;

interface PaymentSteps {
  /** The outcome itself if memory has decided. */
  hold: Step<HoldEntry, PostedOutcome | Promise<PostedOutcome>>;
  settle: Step<SettleEntry>;
  release: Step<ReleaseEntry>;
}

export type Ledger = ReturnType<typeof makeLedger>;

interface LedgerDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  onBatch?: (size: number, ms: number) => void;
  /** Called when the store refuses a batch, for example because the disk is full. */
  onRefused?: (error: unknown) => void;
  onFailed?: (failed: FailedTask) => void;
  settings?: Pick<Settings, 'key_requests_per_minute'>;
  linkedRows?: LinkedRows;
  stopped?: StoppedAccounts;
}

export function makeLedger(dependencies: LedgerDependencies) {
  const { database, clock, log, settings, stopped, linkedRows } = dependencies;
  const nowMs = () => clock.now().getTime();
  const reservations = makeReservations();
  const task = makeBatchTask(linkedRows);
  const funding =
    database.engine === 'sqlite'
      ? makeWholeBalance(database, task, reservations)
      : makeSharedBalance({ onFailed: () => undefined, ...dependencies, task, reservations });
  const { rows, journaled, add } = makeCommits(dependencies, funding, nowMs);
  const isLate = () => rows.isLate() || journaled.isLate();
  const post: Post = async (entry, extras, ended) => {
    const { account_id } = entry;
    const debit = maxDebitOf(entry);
    let endPending: (() => void) | undefined;
    let isCertain = false;
    try {
      assertMoney(entry);
      if (debit > 0) endPending = funding.addPending(account_id, debit);
      const { outcome } = await add({ ...extras, account_id, entry });
      isCertain = true;
      return outcome;
    } catch (error) {
      stopped?.note(error);
      throw error;
    } finally {
      endPending?.();
      ended?.(entry, isCertain);
    }
  };
  const unpaid =
    database.engine === 'postgres' ? journaledLog(add, log) : makeLogQueue(dependencies);
  /** Books everything in the journal, so that readers of the store see it. */
  const bookAll = async (): Promise<void> => {
    await unpaid.flush();
    await funding.journal.book?.();
  };
  /** Resolves when everything added so far is committed. */
  const idle = async (): Promise<void> => {
    await Promise.all([rows.idle(), journaled.idle()]);
    await bookAll();
  };
  const postExactly = makePostExactly(funding, post);
  // Rate limits are counted in the store, together with the holds.
  const steps =
    settings?.key_requests_per_minute === undefined
      ? stepsInMemory({ reservations, funding, post, postExactly, nowMs, isLate })
      : stepsInStore(postExactly, funding);
  const hold: PaymentSteps['hold'] = (entry, extras) => {
    stopped?.check(entry.account_id);
    return steps.hold(entry, extras);
  };
  return {
    ...steps,
    hold,
    topup: (entry: Omit<TopupEntry, 'kind'>, extras?: Audited) =>
      post({ ...entry, kind: 'topup' }, extras),
    adjust: (entry: Omit<TopupEntry, 'kind'>, extras?: Audited) =>
      postExactly({ ...entry, kind: 'adjust' }, extras),
    refund: (entry: Omit<RefundEntry, 'kind'>, extras?: Audited) =>
      postExactly({ ...entry, kind: 'refund' }, extras),
    /** Claims an Idempotency-Key for a request, or returns what the key is already used for. */
    claim: async (entry: Omit<ClaimEntry, 'kind'>): Promise<ClaimOutcome> => {
      const { account_id, owner } = entry;
      const claimed = { ...entry, ...servedBy(funding, entry), kind: 'claim' } as const;
      const { claim } = await rows.add({ account_id, claim: claimed });
      if (!claim) throw new Error(`the idempotency key of ${owner} was not decided`);
      return claim;
    },
    /** Frees the claimed key of a request that has no hold to release. */
    freeClaim: async (under: ClaimRef): Promise<void> => {
      await rows.add({ account_id: under.account_id, under, free: true });
    },
    /** Logs a request that moved no money. The caller does not wait for it. */
    record: unpaid.add,
    /** What requests of an account hold in memory, in addition to the rows in the store. */
    reserved: reservations.sumOf,
    inMemory: reservations.inspect,
    /** What is granted to this gateway, by account. Undefined if it may spend whole balances. */
    allowances: () => funding.inspect?.(),
    countGateways: () => countGateways(database),
    expire: reservations.expire,
    bookAll,
    /** Absent if the store books the journal before it reads. */
    bookJournal: funding.journal.book,
    idle,
    depth: () => rows.depth() + unpaid.depth() + (journaled === rows ? 0 : journaled.depth()),
    /** Registers this gateway, so that requests may be held in memory on PostgreSQL too. */
    open: async () => funding.open?.(),
    /** Books the journal, and returns what is granted. Call it when no request is running. */
    close: async (): Promise<void> => {
      await idle();
      await funding.close?.();
    },
  };
}

/** Commits some batches directly, and journals others first. */
function makeCommits(dependencies: LedgerDependencies, funding: Funding, nowMs: () => number) {
  const { clock, settings, linkedRows } = dependencies;
  const isShared = dependencies.database.engine === 'postgres';
  const bookRows = async (batch: readonly Posting[], repeated: boolean) =>
    funding.bookRows(batch, {
      now: nowMs(),
      repeated,
      key_requests_per_minute: settings?.key_requests_per_minute,
    });
  const shared = {
    clock,
    isCertain: !isShared,
    patienceOf,
    ...(dependencies.onRefused ? { onRefused: dependencies.onRefused } : {}),
    sizeOf: ({ answer, linked }: Posting) =>
      (answer?.body?.length ?? 0) + (linked ? (linkedRows?.size(linked) ?? 0) : 0),
    ...(dependencies.onBatch ? { onBatch: dependencies.onBatch } : {}),
  };
  const perform = async (batch: readonly Posting[], repeated: boolean) => {
    if (!batch.every(isDeferrable)) return bookRows(batch, repeated);
    if (repeated && !isShared) return bookRows(batch, repeated);
    // While it waited, another gateway removed this one, which registered again: nothing covers it.
    if (batch.some(({ entry }) => isOfAnother(entry, funding.gatewayId())))
      return bookRows(withoutHolds(batch), repeated);
    return (await journalBatch(funding, batch, nowMs())) ?? bookRows(withoutHolds(batch), repeated);
  };
  const rows = groupCommit<Posting, Posted>({ ...shared, perform });
  // On SQLite the journal and the direct batches are decided in one order, so that no money counts
  // twice.
  const { paceMs } = funding;
  const journaled = paceMs ? groupCommit<Posting, Posted>({ ...shared, perform, paceMs }) : rows;
  const add = (posting: Posting): Promise<Posted> =>
    (funding.isOpen() && isDeferrable(posting) ? journaled : rows).add(posting);
  return { rows, journaled, add };
}

/** `ended` is told whether the outcome is certain, before the result is. */
type Post = (
  entry: LedgerEntry,
  extras?: TransactionExtras,
  ended?: (entry: LedgerEntry, isCertain: boolean) => void,
) => Promise<PostedOutcome>;

/** Another gateway may hold the missing money. */
const ofTheBalance: ReadonlySet<string> = new Set(['balance', 'exposure']);

/** Decides on all money of an account, with what other gateways may spend or have spent. */
function makePostExactly(funding: Funding, post: Post): Post {
  return async (entry, extras) => {
    const outcome = await post(entry, extras);
    if (outcome.kind === 'declined' && ofTheBalance.has(outcome.because)) {
      return (await funding.recallAll?.(entry.account_id)) ? post(entry, extras) : outcome;
    }
    // The charge may still be in the journal.
    if (outcome.kind !== 'closed' || entry.kind === 'release') return outcome;
    await funding.journal.book?.();
    return post(entry, extras);
  };
}

function stepsInStore(post: Post, funding: Pick<Funding, 'gatewayId'>): PaymentSteps {
  return {
    hold: (entry, extras) => post({ ...entry, ...servedBy(funding, entry), kind: 'hold' }, extras),
    settle: (entry, extras) => post({ ...entry, kind: 'settle' }, extras),
    release: (entry, extras) => post({ ...entry, kind: 'release' }, extras),
  };
}

interface MemorySteps {
  reservations: Reservations;
  funding: Funding;
  post: Post;
  postExactly: Post;
  nowMs: () => number;
  /** True while an attempt to commit has failed or takes long and its batch is not committed yet. */
  isLate: () => boolean;
}

const noExtras: TransactionExtras = Object.freeze({});

/** Plain requests are held in memory, unless memory cannot decide. All others are held in the store. */
function stepsInMemory(parts: MemorySteps): PaymentSteps {
  const { reservations, funding, post, postExactly, nowMs } = parts;
  const inStore = stepsInStore(postExactly, funding);
  const endSettle = ({ id, account_id }: LedgerEntry, isCertain: boolean) => {
    if (!isCertain) funding.noteUncertain(account_id);
    reservations.remove(id);
  };
  return {
    hold: (entry, extras = noExtras) => {
      // While a commit is late, the hold goes to the store and waits for it, so no provider is
      // called until then.
      if (!funding.isOpen() || parts.isLate() || !isPlain(entry, extras)) {
        return inStore.hold(entry, extras);
      }
      const held = reservations.hold(entry, nowMs(), funding.gatewayId());
      funding.noteHold?.(entry.account_id, entry.amount);
      return held ?? inStore.hold(entry, extras);
    },
    settle: (entry, extras) => {
      const reserved = reservations.beginSettle(entry.id, entry.account_id);
      if (!reserved) return inStore.settle(entry, extras);
      const { id, account_id, cost, may_exceed } = entry;
      const settle: SettleEntry = { kind: 'settle', id, account_id, cost, may_exceed, reserved };
      // False if another gateway considered this one dead and returned the money that covers the
      // hold.
      const isCovered = reserved.gateway_id === funding.gatewayId();
      return post(isCovered ? settle : unheldSettle(settle), extras, endSettle);
    },
    release: async (entry, extras) => {
      if (!reservations.find(entry.id, entry.account_id)) return inStore.release(entry, extras);
      reservations.remove(entry.id);
      return { kind: 'released', again: false };
    },
  };
}

/** True without a cap, budget, rate limit, idempotency key, job or log row to commit with the hold. */
function isPlain(
  { uncapped, limits, budgeted }: Omit<HoldEntry, 'kind'>,
  { linked, under, request }: TransactionExtras,
): boolean {
  if (uncapped !== true || limits || budgeted) return false;
  return !(linked ?? under ?? request);
}

function maxDebitOf(entry: LedgerEntry): number {
  if (entry.kind === 'hold') return entry.amount;
  return entry.kind === 'adjust' ? Math.max(0, -entry.amount) : 0;
}

/** Undefined if another gateway considered this one dead, so the money is not guaranteed. */
async function journalBatch(
  funding: Funding,
  batch: readonly Posting[],
  now: number,
): Promise<Posted[] | undefined> {
  if (!(await funding.journal.append(batch, now))) return undefined;
  return batch.map(({ account_id, entry }) => {
    const reserved = entry?.kind === 'settle' && entry.reserved;
    if (!reserved) return { outcome: { kind: 'skipped' } };
    const outcome = settledFrom(entry, reserved.amount);
    funding.noteSpent(account_id, reserved.amount, outcome.cost);
    return { outcome };
  });
}

function isOfAnother(entry: LedgerEntry | undefined, gatewayId: string | undefined): boolean {
  return entry?.kind === 'settle' && entry.reserved?.gateway_id !== gatewayId;
}

function isDeferrable({ entry, claim, under, linked, costs_request }: Posting): boolean {
  if (claim ?? under ?? linked ?? costs_request) return false;
  if (!entry) return true;
  return entry.kind === 'settle' && !!entry.reserved;
}

/** The same batch for a gateway whose allowances are gone: it settles without the holds. */
function withoutHolds(batch: readonly Posting[]): Posting[] {
  return batch.map((posting) => {
    const { entry } = posting;
    return entry?.kind === 'settle' ? { ...posting, entry: unheldSettle(entry) } : posting;
  });
}

/** The settle of a hold in memory that is no longer covered. */
function unheldSettle({ reserved, ...entry }: SettleEntry): SettleEntry {
  if (!reserved) return entry;
  const { gateway_id: _gateway, ...unheld } = reserved;
  return { ...entry, unheld };
}
