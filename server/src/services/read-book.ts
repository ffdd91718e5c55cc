// What a batch of the ledger has to know before it decides, read under the locks of its accounts.
import { dayOf, firstDayOfMonth } from '../domain/ledger/book.ts';
import type { Book } from '../domain/ledger/book.ts';
import { claimPlace } from '../domain/ledger/claims.ts';
import { minuteOf, pacePlace } from '../domain/ledger/pace.ts';
import type { KeyOfAccount } from '../domain/ledger/pace.ts';
import type { Runner } from '../platform/database.ts';
import { findClaims } from '../store/idempotency.ts';
import { findKeyMinutes } from '../store/key-minutes.ts';
import {
  findCappedKeys,
  findHolds,
  findRefunded,
  findTransfers,
  lockAccounts,
} from '../store/ledger.ts';
import type { Posting } from './post-batch.ts';

/** What is read after the lock, on the same connection, is read as the lock found it. */
export async function readBook(
  tx: Runner,
  book: Book,
  batch: readonly Posting[],
  repeated: boolean,
): Promise<void> {
  const { now, pace } = book;
  const wanted = wantedBy(batch, repeated);
  const claims = batch.flatMap((posting) => posting.claim ?? posting.under ?? []);
  const names = [...new Map(claims.map((one) => [claimPlace(one), one])).values()];
  const month = { first_day: firstDayOfMonth(now), today: dayOf(now) };
  const account_ids = distinct(batch.map((posting) => posting.account_id));
  await together([
    lockAccounts(tx, account_ids).then((found) => (book.accounts = found)),
    ...ifAny(distinct(wanted.holds), async (ids) => {
      for (const hold of await findHolds(tx, ids)) book.holds.set(hold.id, hold);
    }),
    ...ifAny(distinct(wanted.transfers), (ids) => readTransfers(tx, book, ids)),
    ...ifAny(distinct(wanted.refunded), async (ids) => {
      book.refunded = await findRefunded(tx, ids);
    }),
    ...ifAny(distinct(wanted.capped), async (ids) => {
      book.keys = await findCappedKeys(tx, ids, month);
    }),
    ...ifAny(pace ? wanted.keys : [], async (list) => {
      const counted = await findKeyMinutes(tx, list, minuteOf(now));
      for (const key of counted) pace?.keys.set(pacePlace(key), key);
    }),
    ...ifAny(names, async (list) => {
      for (const found of await findClaims(tx, list)) book.claims.set(claimPlace(found), found);
    }),
  ]);
  // A hold that is gone was closed before; only its transfer tells how.
  const gone = wanted.holds.filter((id) => !book.holds.has(id));
  await together(ifAny(distinct(gone), (ids) => readTransfers(tx, book, ids)));
}

async function readTransfers(tx: Runner, book: Book, ids: readonly string[]): Promise<void> {
  for (const line of await findTransfers(tx, ids)) book.transfers.set(line.id, line);
}

interface Wanted {
  holds: string[];
  transfers: string[];
  refunded: string[];
  capped: string[];
  keys: KeyOfAccount[];
}

function wantedBy(batch: readonly Posting[], repeated: boolean): Wanted {
  const wanted: Wanted = { holds: [], transfers: [], refunded: [], capped: [], keys: [] };
  for (const { entry } of batch) {
    switch (entry?.kind) {
      case 'hold': {
        const { id, account_id, key_id, uncapped } = entry;
        // Its id is new, unless the batch was tried before; if not, writing it will tell.
        if (repeated) wanted.holds.push(id);
        if (key_id === null) break;
        wanted.keys.push({ account_id, key_id });
        if (!uncapped) wanted.capped.push(key_id);
        break;
      }
      case 'settle':
        if (!entry.reserved) wanted.holds.push(entry.id);
        else if (repeated) wanted.transfers.push(entry.id);
        break;
      case 'release':
        wanted.holds.push(entry.id);
        break;
      case 'refund':
        wanted.transfers.push(entry.hold_id);
        wanted.refunded.push(entry.hold_id);
        wanted.transfers.push(entry.id);
        break;
      case 'topup':
      case 'adjust':
        wanted.transfers.push(entry.id);
        break;
      case undefined:
    }
  }
  return wanted;
}

export function ifAny<T, R>(list: readonly T[], work: (list: readonly T[]) => R): R[] {
  return list.length === 0 ? [] : [work(list)];
}

/** Statements that need not wait for each other; all have ended before an error is told. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(statements)) {
    if (ended.status === 'rejected') throw ended.reason;
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
