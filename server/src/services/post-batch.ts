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
import type { Database, Runner } from '../platform/database.ts';
import { findClaims, putClaims } from '../store/idempotency.ts';
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

export function postBatch(
  database: Database,
  batch: readonly Posting[],
  now: number,
  repeated: boolean,
): Promise<Posted[]> {
  return database.transaction((tx) => postWithin(tx, batch, now, repeated));
}

/** The same inside a transaction of somebody else's. */
export async function postWithin(
  tx: Runner,
  batch: readonly Posting[],
  now: number,
  repeated = false,
): Promise<Posted[]> {
  const book = await readBook(tx, batch, now);
  const posted: Posted[] = [];
  for (const posting of batch) posted.push(await post(tx, book, posting));
  await writeChanges(tx, book);
  await writeRequests(
    tx,
    batch.map((posting, at) => ({ ...posting, outcome: posted[at]?.outcome })),
    repeated,
  );
  for (const [at, { also }] of batch.entries()) {
    if (also && movedNow(posted[at]?.outcome)) await also(tx);
  }
  return posted;
}

async function readBook(tx: Runner, batch: readonly Posting[], now: number): Promise<Book> {
  const book = openBook(now);
  book.accounts = await lockAccounts(tx, distinct(batch.map((posting) => posting.account_id)));
  const entries = batch.flatMap(({ entry }) => entry ?? []);
  const hold_ids = entries.flatMap((entry) => {
    if (entry.kind === 'refund') return entry.hold_id;
    return entry.kind === 'topup' || entry.kind === 'adjust' ? [] : entry.id;
  });
  const transfer_ids = entries.flatMap(({ kind, id }) =>
    kind === 'topup' || kind === 'adjust' || kind === 'refund' ? id : [],
  );
  const key_ids = entries.flatMap((entry) => (entry.kind === 'hold' ? (entry.key_id ?? []) : []));
  const claims = batch.flatMap((posting) => posting.claim ?? posting.under ?? []);
  if (hold_ids.length > 0) {
    for (const hold of await findHolds(tx, distinct(hold_ids))) book.holds.set(hold.id, hold);
  }
  if (transfer_ids.length > 0) {
    for (const line of await findTransfers(tx, distinct(transfer_ids))) {
      book.transfers.set(line.id, line);
    }
  }
  if (key_ids.length > 0) {
    const month = { first_day: firstDayOfMonth(now), today: dayOf(now) };
    book.keys = await findCappedKeys(tx, distinct(key_ids), month);
  }
  if (claims.length > 0) {
    const names = [...new Map(claims.map((one) => [claimPlace(one), one])).values()];
    for (const found of await findClaims(tx, names)) book.claims.set(claimPlace(found), found);
  }
  return book;
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

async function writeChanges(tx: Runner, { changes }: Book): Promise<void> {
  const { accounts, opened, changed, transfers, key_days, claims } = changes;
  if (opened.size > 0) await insertHolds(tx, [...opened]);
  if (changed.size > 0) await updateHolds(tx, [...changed]);
  if (transfers.length > 0) await insertTransfers(tx, transfers);
  if (accounts.size > 0) await addToAccounts(tx, accounts);
  if (key_days.size > 0) await addToKeyDays(tx, [...key_days.values()]);
  if (claims.size > 0) await putClaims(tx, [...claims]);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
