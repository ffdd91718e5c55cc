// One batch of the ledger in one transaction: lock, decide in order of arrival, write all at once.
import { openBook } from '../domain/ledger/book.ts';
import type { Book } from '../domain/ledger/book.ts';
import { claim, extendClaim, freeClaim, isOwner, storeAnswer } from '../domain/ledger/claims.ts';
import type { ClaimEntry, ClaimOutcome, ClaimRef, StoredAnswer } from '../domain/ledger/claims.ts';
import { canMove, decide } from '../domain/ledger/decide.ts';
import type { Outcome } from '../domain/ledger/decide.ts';
import type { Entry } from '../domain/ledger/entries.ts';
import { minuteOf, openPace } from '../domain/ledger/pace.ts';
import type { Database, Runner, Task } from '../platform/database.ts';
import { isTaken } from '../platform/store-trouble.ts';
import { putClaims } from '../store/idempotency.ts';
import { addToKeyMinutes } from '../store/key-minutes.ts';
import {
  addToAccounts,
  addToKeyDays,
  deleteHolds,
  insertHolds,
  insertTransfers,
} from '../store/ledger.ts';
import { foresee, writeJob } from './job-rider.ts';
import type { JobRider } from './job-rider.ts';
import { ifAny, readBook, together } from './read-book.ts';
import { writeRequests } from './write-requests.ts';
import type { LoggedCost } from './write-requests.ts';
import type { RequestRow } from '../store/requests.ts';

/** What travels with an entry, in the same transaction. */
export interface Rider {
  /** The job that begins or ends with the entry, under its own lock; it may say no. */
  job?: JobRider;
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
  /** What requests hold in memory, by account. */
  reserved?: Readonly<Record<string, number>>;
}

export interface PostedBatch {
  posted: Posted[];
  /** What each account of the batch has free by the books, not counting what is in memory. */
  free: Record<string, number>;
}

export function postBatch(
  database: Database,
  batch: readonly Posting[],
  occasion: Occasion,
): Promise<PostedBatch> {
  const lasting = !batch.every(isMereHold);
  const attempt = (on: Occasion) => database.perform(post_task, { batch, occasion: on }, lasting);
  return attempt(occasion).catch((error: unknown) => {
    if (occasion.repeated || !isTaken(error)) throw error;
    // An id that is there already: look, and answer as the first time.
    return attempt({ ...occasion, repeated: true });
  });
}

interface Post {
  batch: readonly Posting[];
  occasion: Occasion;
}

export const post_task: Task<Post, PostedBatch> = {
  name: 'post',
  work: (tx, { batch, occasion }) => postWithin(tx, batch, occasion),
  // Within a moment of each other; what was put off is booked at the last of their times.
  join: (posts): Post => ({
    batch: posts.flatMap(({ batch }) => batch),
    occasion: { now: Math.max(...posts.map(({ occasion }) => occasion.now)) },
  }),
};

/** Nobody was told of it: if the machine fails, the request fails, and nothing is to be held. */
function isMereHold({ entry, claim: claimed, job }: Posting): boolean {
  return entry?.kind === 'hold' && !claimed && !job;
}

/** The same inside a transaction of somebody else's. */
export async function postWithin(
  tx: Runner,
  batch: readonly Posting[],
  { now, repeated = false, key_requests_per_minute, reserved = {} }: Occasion,
): Promise<PostedBatch> {
  const per_minute = key_requests_per_minute;
  const book = openBook(now, per_minute === undefined ? undefined : openPace(per_minute));
  book.reserved = new Map(Object.entries(reserved));
  await readBook(tx, book, batch, repeated);
  const posted: (Posted & { move?: Foreseen })[] = [];
  for (const posting of batch) posted.push(await post(tx, book, posting));
  const logged = batch.map((posting, at) => ({ ...posting, outcome: posted[at]?.outcome }));
  await together([...writeChanges(tx, book), writeRequests(tx, logged, repeated)]);
  for (const [at, { job }] of batch.entries()) {
    if (job && movedNow(posted[at]?.outcome)) await writeJob(tx, job, posted[at]?.move);
  }
  const free = [...book.accounts].map(([id, { posted: sum, held }]) => [id, sum - held] as const);
  return {
    posted: posted.map(({ outcome, claim: claimed }) => ({ outcome, claim: claimed })),
    free: Object.fromEntries(free),
  };
}

type Foreseen = Awaited<ReturnType<typeof foresee>>;

async function post(
  tx: Runner,
  book: Book,
  posting: Posting,
): Promise<Posted & { move?: Foreseen }> {
  const { entry, job, under, answer } = posting;
  const claimed: ClaimOutcome = posting.claim ? claim(book, posting.claim) : { kind: 'claimed' };
  if (!entry) {
    if (under && posting.free) freeClaim(book, under);
    return { outcome: { kind: 'skipped' }, claim: claimed };
  }
  const move = job && canMove(book, entry) ? await foresee(tx, job) : undefined;
  if (job && canMove(book, entry) && !move) {
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
  return { outcome, claim: claimed, ...(move ? { move } : {}) };
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
  const { accounts, opened, closed, transfers, key_days, claims } = changes;
  return [
    ...ifAny([...opened], (rows) => insertHolds(tx, rows)),
    ...ifAny([...closed], (rows) => deleteHolds(tx, rows)),
    ...ifAny(transfers, (rows) => insertTransfers(tx, rows)),
    ...ifAny([...accounts], () => addToAccounts(tx, accounts)),
    ...ifAny([...key_days.values()], (rows) => addToKeyDays(tx, rows)),
    ...ifAny([...claims], (rows) => putClaims(tx, rows)),
    ...ifAny([...(pace?.changes.values() ?? [])], (rows) =>
      addToKeyMinutes(tx, rows, minuteOf(now)),
    ),
  ];
}
