// Books one batch of the ledger in one transaction: locks the accounts, decides the entries in
// order of arrival, and writes all rows.
import { auditAll } from '../audit/audit.ts';
import { type Book, holdReplay, openBook } from './core/book.ts';
import {
  type ClaimRef,
  decideClaim,
  extendClaim,
  freeClaim,
  isOwner,
  minuteOf,
  openRateLimit,
  storeAnswer,
} from '../requests/core/index.ts';
import { checkBook } from './core/book-rules.ts';
import { canMove, decide } from './core/decide.ts';
import type { LedgerEntry, LedgerOutcome } from './core/entries.ts';
import type { Database, Runner, Task } from '../store/index.ts';
import { isTaken } from '../platform/store-trouble.ts';
import { addToBooked } from './store/allowances.ts';
import { addToTagDays } from './store/budgets.ts';
import { addToKeyMinutes } from '../requests/store/rate-limits.ts';
import { putClaims } from '../requests/store/idempotency.ts';
import { writeRequests } from '../requests/write-requests.ts';
import {
  addToAccounts,
  addToKeyDays,
  deleteHolds,
  insertHolds,
  insertTransfers,
  markCapsReached,
} from './store/ledger.ts';
import type {
  BatchFacts,
  LinkedChange,
  LinkedRows,
  Posted,
  PostedBatch,
  PostedOutcome,
  Posting,
} from './posting.ts';
import { allSettled, ifAny, readBook } from './read-book.ts';
import type { BalanceLow, CapReached } from '@trivium/contract';
import type { NewEvent } from '../events/index.ts';
import { writeEvents } from '../events/write-event.ts';
import { capMark } from './core/caps.ts';
import { usd } from './core/amount.ts';

export function bookBatch(
  database: Database,
  task: BatchTask,
  batch: readonly Posting[],
  context: BatchFacts,
): Promise<PostedBatch> {
  const durable = !batch.every(isLoneHold);
  return database.perform(task, { batch, context }, durable).catch((error: unknown) => {
    if (context.repeated || !isTaken(error)) throw error;
    // An id already exists: an earlier attempt was committed, so its result is looked up.
    return database.perform(task, { batch, context: { ...context, repeated: true } }, durable);
  });
}

interface BatchInput {
  batch: readonly Posting[];
  context: BatchFacts;
}

export type BatchTask = Task<BatchInput, PostedBatch>;

export function makeBatchTask(linkedRows?: LinkedRows): BatchTask {
  return {
    name: 'post',
    work: (tx, { batch, context }) => bookBatchWithin(tx, batch, context, linkedRows),
    join: joinBatches,
  };
}

/** Joins batches of the journal. Each posting keeps its own time, because sums count by day. */
export function joinBatches(inputs: readonly unknown[]): BatchInput {
  const read = inputs.map(readInput);
  return {
    batch: read.flatMap(({ batch, now }) => batch.map((posting) => ({ ...posting, now }))),
    context: { now: Math.max(...read.map(({ now }) => now)) },
  };
}

/** Parsing with a schema would cost more than booking. The ledger and the store check the rest. */
function readInput(input: unknown): { batch: readonly Posting[]; now: number } {
  // Versions before 0.2 wrote `occasion`.
  const { batch, context, occasion } = (input ?? {}) as Partial<Record<string, unknown>>;
  const { now } = (context ?? occasion ?? {}) as { now?: unknown };
  if (typeof now !== 'number' || !Array.isArray(batch) || !batch.every(isPosting)) {
    throw new Error('a batch in the journal cannot be read');
  }
  return { batch, now };
}

function isPosting(value: unknown): value is Posting {
  const { account_id, entry } = (value ?? {}) as Partial<Posting>;
  return typeof account_id === 'string' && (entry === undefined || typeof entry.id === 'string');
}

/** A lone hold need not survive a power failure: its request does not survive one either. */
function isLoneHold({ entry, claim: claimed, linked }: Posting): boolean {
  return entry?.kind === 'hold' && !claimed && !linked;
}

export async function bookBatchWithin(
  tx: Runner,
  batch: readonly Posting[],
  { now, repeated = false, key_requests_per_minute: perMinute, reserved = {} }: BatchFacts,
  linkedRows?: LinkedRows,
): Promise<PostedBatch> {
  const isLimited = perMinute !== undefined || batch.some(hasLimits);
  const book = openBook(now, isLimited ? openRateLimit(perMinute) : undefined);
  book.reserved = new Map(Object.entries(reserved));
  await readBook(tx, book, batch, repeated);
  const prepared = await prepareLinked(tx, book, batch, linkedRows);
  const posted = batch.map((posting) => {
    book.now = posting.now ?? now;
    return decidePosting(book, posting, prepared);
  });
  book.now = now;
  checkBook(book);
  const logged = batch.map((posting, at) => ({ ...posting, outcome: posted[at]?.outcome }));
  await allSettled([...writeChanges(tx, book), writeRequests(tx, logged, repeated)]);
  const effective = batch.filter((_, at) => tookEffect(posted[at]?.outcome));
  const linked = effective.flatMap(({ linked: change }) =>
    change ? { change, prepared: prepared.get(change) } : [],
  );
  if (linked.length > 0) await linkedRows?.write(tx, linked);
  const audited = effective.flatMap(({ audit }) => audit ?? []);
  if (audited.length > 0) await auditAll(tx, audited, now);
  await announce(tx, book);
  const free = [...book.accounts].map(([id, { posted: sum, held }]) => [id, sum - held] as const);
  return { posted, free: Object.fromEntries(free) };
}

type PreparedRows = ReadonlyMap<LinkedChange, unknown>;

/** Prepares only entries that can take effect, so that the rows of the others stay unlocked. */
async function prepareLinked(
  tx: Runner,
  book: Book,
  batch: readonly Posting[],
  linkedRows: LinkedRows | undefined,
): Promise<PreparedRows> {
  const changes = batch.flatMap(({ entry, linked }) =>
    entry && linked && canMove(book, entry) ? linked : [],
  );
  if (changes.length === 0) return new Map();
  if (!linkedRows) throw new Error('this ledger has no linked rows');
  const prepared = await linkedRows.prepare(tx, changes);
  return new Map(changes.map((change, at) => [change, prepared[at]]));
}

function hasLimits({ entry, claim: claimed }: Posting): boolean {
  return (entry?.kind === 'hold' ? entry.limits : claimed?.limits) !== undefined;
}

function decidePosting(book: Book, posting: Posting, prepared: PreparedRows): Posted {
  const { entry, linked, under, answer } = posting;
  if (!entry) {
    if (under && posting.free) freeClaim(book, under);
    const claimed = posting.claim && decideClaim(book, posting.claim);
    if (posting.claim && claimed?.kind === 'replay' && claimed.is_held) {
      holdReplay(book, posting.claim);
    }
    return { outcome: { kind: 'skipped' }, ...(claimed ? { claim: claimed } : {}) };
  }
  // Checked again, because an earlier entry of the batch may have ended the same job.
  if (linked && canMove(book, entry) && prepared.get(linked) === undefined) {
    return { outcome: { kind: 'skipped' } };
  }
  const outcome = decideUnderClaim(book, entry, under);
  if (under) {
    if (posting.free) freeClaim(book, under);
    else if (answer && tookEffect(outcome)) storeAnswer(book, under, answer);
    else if (entry.kind === 'hold' && entry.expires_at !== null && tookEffect(outcome)) {
      extendClaim(book, under, entry.expires_at);
    }
  }
  return { outcome };
}

/** A request that lost its idempotency key to another one neither charges nor begins a job. */
function decideUnderClaim(
  book: Book,
  entry: LedgerEntry,
  under: ClaimRef | undefined,
): LedgerOutcome {
  const isLost = under !== undefined && !isOwner(book, under);
  if (!isLost || (entry.kind !== 'settle' && entry.kind !== 'hold')) return decide(book, entry);
  const { id, account_id } = entry;
  if (entry.kind === 'settle') decide(book, { kind: 'release', id, account_id });
  return { kind: 'closed' };
}

function tookEffect(outcome: PostedOutcome | undefined): boolean {
  return outcome !== undefined && 'again' in outcome && !outcome.again;
}

function writeChanges(tx: Runner, { now, rateLimit, changes }: Book): Promise<unknown>[] {
  const { accounts, allowances, opened, closed, transfers, key_days, tag_days, claims } = changes;
  return [
    ...ifAny(opened, (rows) => insertHolds(tx, rows)),
    ...ifAny(closed, (rows) =>
      deleteHolds(
        tx,
        rows.map(({ id }) => id),
      ),
    ),
    ...ifAny(transfers, (rows) => insertTransfers(tx, rows)),
    ...ifAny(accounts, (all) =>
      addToAccounts(
        tx,
        all.map(([id, change]) => ({ id, ...change })),
      ),
    ),
    ...ifAny(allowances.values(), (rows) => addToBooked(tx, rows)),
    ...ifAny(key_days.values(), (rows) => addToKeyDays(tx, rows)),
    ...ifAny(tag_days.values(), (rows) => addToTagDays(tx, rows)),
    ...ifAny(claims, (rows) => putClaims(tx, rows)),
    ...ifAny(rateLimit?.changes.values() ?? [], (rows) => addToKeyMinutes(tx, rows, minuteOf(now))),
  ];
}

async function announce(tx: Runner, { now, accounts, changes }: Book): Promise<void> {
  const events: NewEvent[] = [];
  for (const id of changes.low_accounts) {
    const { posted, low_balance = 0 } = accounts.get(id) ?? { posted: 0 };
    const amounts = { balance_usd: usd(posted), low_balance_usd: usd(low_balance) };
    const data: BalanceLow = { account_id: id, ...amounts };
    events.push({ type: 'balance.low', account_id: id, subject: id, data, at: now });
  }
  const marks = new Map<string, { id: string; daily?: string; monthly?: string }>();
  for (const reached of changes.caps_reached) {
    const { account_id, key_id, kind, cap, spent, period } = reached;
    marks.set(key_id, { ...marks.get(key_id), id: key_id, [kind]: capMark(reached) });
    const amounts = { cap_usd: usd(cap), spent_usd: usd(spent) };
    const data: CapReached = { account_id, key_id, cap: kind, ...amounts, period };
    events.push({ type: 'cap.reached', account_id, subject: key_id, data, at: now });
  }
  if (marks.size > 0) await markCapsReached(tx, [...marks.values()]);
  await writeEvents(tx, events);
}
