// One batch of the ledger in one transaction: lock, decide in order of arrival, write all at once.
import { dayOf, firstDayOfMonth, openBook } from '../domain/ledger/book.ts';
import type { Book } from '../domain/ledger/book.ts';
import {
  claim,
  claimPlace,
  extendClaim,
  freeClaim,
  isOwner,
  storeAnswer,
} from '../domain/ledger/claims.ts';
import type { ClaimEntry, ClaimOutcome, ClaimRef, StoredAnswer } from '../domain/ledger/claims.ts';
import { canMove, decide } from '../domain/ledger/decide.ts';
import type { Entry, Outcome } from '../domain/ledger/decide.ts';
import { minuteOf, openPace, pacePlace } from '../domain/ledger/pace.ts';
import type { KeyOfAccount } from '../domain/ledger/pace.ts';
import type { Database, Runner, Task } from '../platform/database.ts';
import { findClaims, putClaims } from '../store/idempotency.ts';
import { addToKeyMinutes, findKeyMinutes } from '../store/key-minutes.ts';
import {
  addToAccounts,
  addToKeyDays,
  findCappedKeys,
  findHolds,
  findTransfers,
  insertHolds,
  insertTransfers,
  lockAccounts,
  updateHolds,
} from '../store/ledger.ts';
import { writeRequests } from './write-requests.ts';
import type { LoggedCost } from './write-requests.ts';
import type { RequestRow } from '../store/requests.ts';

/** What travels with an entry, in the same transaction. */
export interface Rider {
  /** Runs under the account's lock before the entry moves; false leaves everything as it was. */
  guard?: (tx: Runner) => Promise<boolean>;
  /** Runs once, after the entry has moved. What it throws undoes the entry. */
  also?: (tx: Runner) => Promise<void>;
  /** The row of the request log. */
  request?: RequestRow;
  /** A row written before, whose cost is known only now. */
  costs_request?: LoggedCost;
  /** The idempotency key the request runs under. */
  under?: ClaimRef;
  /** Kept under that key if the entry takes effect. */
  answer?: StoredAnswer;
  /** Gives that key back: nothing was charged. */
  free?: boolean;
}

export type Posting = Rider & { account_id: string; entry?: Entry; claim?: ClaimEntry };

export interface Posted {
  outcome: Outcome | { kind: 'skipped' };
  claim: ClaimOutcome;
}

export interface Occasion {
  now: number;
  /** The batch may have been committed before. */
  repeated?: boolean;
  /** How often a key may ask; unset, nothing is counted. */
  key_requests_per_minute?: number | undefined;
}

export function postBatch(
  database: Database,
  batch: readonly Posting[],
  occasion: Occasion,
): Promise<Posted[]> {
  // Functions stay in this thread, and with them the transaction that calls them.
  if (batch.some(({ guard, also }) => guard ?? also)) {
    return database.transaction((tx) => postWithin(tx, batch, occasion));
  }
  return database.perform(post_task, { batch, occasion }, !batch.every(isMereHold));
}

interface Post {
  batch: readonly Posting[];
  occasion: Occasion;
}

export const post_task: Task<Post, Posted[]> = {
  name: 'post',
  work: (tx, { batch, occasion }) => postWithin(tx, batch, occasion),
};

/** Nobody was told of it: if the machine fails, the request fails, and nothing is to be held. */
function isMereHold({ entry, claim: claimed }: Posting): boolean {
  return entry?.kind === 'hold' && !claimed;
}

/** The same inside a transaction of somebody else's. */
export async function postWithin(
  tx: Runner,
  batch: readonly Posting[],
  { now, repeated = false, key_requests_per_minute }: Occasion,
): Promise<Posted[]> {
  const per_minute = key_requests_per_minute;
  const book = openBook(now, per_minute === undefined ? undefined : openPace(per_minute));
  await readBook(tx, book, batch);
  const posted: Posted[] = [];
  for (const posting of batch) posted.push(await post(tx, book, posting));
  const logged = batch.map((posting, at) => ({ ...posting, outcome: posted[at]?.outcome }));
  await together([...writeChanges(tx, book), writeRequests(tx, logged, repeated)]);
  for (const [at, { also }] of batch.entries()) {
    if (also && movedNow(posted[at]?.outcome)) await also(tx);
  }
  return posted;
}

/** What is read after the lock, on the same connection, is read as the lock found it. */
async function readBook(tx: Runner, book: Book, batch: readonly Posting[]): Promise<void> {
  const { now, pace } = book;
  const entries = batch.flatMap(({ entry }) => entry ?? []);
  const { hold_ids, transfer_ids, keys } = idsOf(entries);
  const key_ids = distinct(keys.map(({ key_id }) => key_id));
  const claims = batch.flatMap((posting) => posting.claim ?? posting.under ?? []);
  const names = [...new Map(claims.map((one) => [claimPlace(one), one])).values()];
  const month = { first_day: firstDayOfMonth(now), today: dayOf(now) };
  const account_ids = distinct(batch.map((posting) => posting.account_id));
  await together([
    lockAccounts(tx, account_ids).then((found) => (book.accounts = found)),
    ...ifAny(hold_ids, async (ids) => {
      for (const hold of await findHolds(tx, ids)) book.holds.set(hold.id, hold);
    }),
    ...ifAny(transfer_ids, async (ids) => {
      for (const line of await findTransfers(tx, ids)) book.transfers.set(line.id, line);
    }),
    ...ifAny(key_ids, async (ids) => {
      book.keys = await findCappedKeys(tx, ids, month);
    }),
    ...ifAny(pace ? keys : [], async (list) => {
      const counted = await findKeyMinutes(tx, list, minuteOf(now));
      for (const key of counted) pace?.keys.set(pacePlace(key), key);
    }),
    ...ifAny(names, async (list) => {
      for (const found of await findClaims(tx, list)) book.claims.set(claimPlace(found), found);
    }),
  ]);
}

function idsOf(entries: readonly Entry[]) {
  const hold_ids: string[] = [];
  const transfer_ids: string[] = [];
  const keys: KeyOfAccount[] = [];
  for (const entry of entries) {
    const moves = entry.kind === 'topup' || entry.kind === 'adjust' || entry.kind === 'refund';
    if (moves) transfer_ids.push(entry.id);
    else hold_ids.push(entry.id);
    if (entry.kind === 'refund') hold_ids.push(entry.hold_id);
    if (entry.kind !== 'hold' || entry.key_id === null) continue;
    keys.push({ account_id: entry.account_id, key_id: entry.key_id });
  }
  return { hold_ids: distinct(hold_ids), transfer_ids: distinct(transfer_ids), keys };
}

async function post(tx: Runner, book: Book, posting: Posting): Promise<Posted> {
  const { entry, guard, under, answer } = posting;
  const claimed: ClaimOutcome = posting.claim ? claim(book, posting.claim) : { kind: 'claimed' };
  if (!entry) {
    if (under && posting.free) freeClaim(book, under);
    return { outcome: { kind: 'skipped' }, claim: claimed };
  }
  if (guard && canMove(book, entry) && !(await guard(tx))) {
    return { outcome: { kind: 'skipped' }, claim: claimed };
  }
  const outcome = decideUnderClaim(book, entry, under);
  if (under) {
    if (posting.free) freeClaim(book, under);
    else if (answer && movedNow(outcome)) storeAnswer(book, under, answer);
    else if (entry.kind === 'hold' && entry.expires_at !== null && movedNow(outcome)) {
      extendClaim(book, under, entry.expires_at);
    }
  }
  return { outcome, claim: claimed };
}

/** Whoever lost the key to another request may not charge for it as well. */
function decideUnderClaim(book: Book, entry: Entry, under: ClaimRef | undefined): Outcome {
  if (entry.kind !== 'settle' || !under || isOwner(book, under)) return decide(book, entry);
  decide(book, { kind: 'release', id: entry.id, account_id: entry.account_id });
  return { kind: 'closed' };
}

function movedNow(outcome: Posted['outcome'] | undefined): boolean {
  return outcome !== undefined && 'again' in outcome && !outcome.again;
}

function writeChanges(tx: Runner, { now, pace, changes }: Book): Promise<unknown>[] {
  const { accounts, opened, changed, transfers, key_days, claims } = changes;
  return [
    ...ifAny([...opened], (rows) => insertHolds(tx, rows)),
    ...ifAny([...changed], (rows) => updateHolds(tx, rows)),
    ...ifAny(transfers, (rows) => insertTransfers(tx, rows)),
    ...ifAny([...accounts], () => addToAccounts(tx, accounts)),
    ...ifAny([...key_days.values()], (rows) => addToKeyDays(tx, rows)),
    ...ifAny([...claims], (rows) => putClaims(tx, rows)),
    ...ifAny([...(pace?.changes.values() ?? [])], (rows) =>
      addToKeyMinutes(tx, rows, minuteOf(now)),
    ),
  ];
}

function ifAny<T, R>(list: readonly T[], work: (list: readonly T[]) => R): R[] {
  return list.length === 0 ? [] : [work(list)];
}

/** Statements that need not wait for each other; all have ended before an error is told. */
async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(statements)) {
    if (ended.status === 'rejected') throw ended.reason;
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
