// Reads everything that the decisions of a batch depend on, under the locks of its accounts.
import {
  claimPlace,
  type Counter,
  countersOf,
  dayOf,
  firstDayOfMonth,
  minuteOf,
  placesOf,
  type RateLimit,
  rateLimitKey,
  tagPairs,
} from '../requests/core/index.ts';
import { budgetKey } from './core/spending.ts';
import type { Book } from './core/book.ts';
import type { Runner } from '../store/index.ts';
import { findAllowancesOf } from './store/allowances.ts';
import { findBudgets, type TagValue } from './store/budgets.ts';
import { countInProgress } from './store/gateways.ts';
import { findKeyMinutes } from '../requests/store/rate-limits.ts';
import { findClaims } from '../requests/store/idempotency.ts';
import {
  findCappedKeys,
  findExposed,
  findHolds,
  findRefunded,
  findTransfers,
  lockAccounts,
} from './store/ledger.ts';
import type { Posting } from './posting.ts';

/** The lock is sent first on the same connection, so the other reads see the locked state. */
export async function readBook(
  tx: Runner,
  book: Book,
  batch: readonly Posting[],
  repeated: boolean,
): Promise<void> {
  const { now, rateLimit } = book;
  const needed = rowsNeededBy(batch, repeated);
  const counters = rateLimit ? countersIn(batch, rateLimit) : [];
  const perMinute = counters.filter((counter) => counter.per_minute !== undefined);
  const atOnce = counters.filter((counter) => counter.at_once !== undefined);
  const claims = batch.flatMap(claimsOf);
  const names = new Map(claims.map((one) => [claimPlace(one), one])).values();
  const month = [firstDayOfMonth(now), dayOf(now)] as const;
  const accountIds = [...new Set(batch.map((posting) => posting.account_id))];
  const into = <K extends keyof Book, T>(
    name: K,
    some: Iterable<T>,
    find: (on: Runner, list: readonly T[]) => Promise<Book[K]>,
  ) =>
    ifAny(some, async (list) => {
      book[name] = await find(tx, list);
    });
  await allSettled([
    lockAccounts(tx, accountIds).then((found) => (book.accounts = found)),
    ...ifAny(needed.holds, async (ids) => {
      for (const hold of await findHolds(tx, ids)) book.holds.set(hold.id, hold);
    }),
    ...ifAny(needed.transfers, (ids) => readTransfers(tx, book, ids)),
    ...into('exposed', needed.exposed, findExposed),
    ...into('allowances', needed.allowances, findAllowancesOf),
    ...into('refunded', needed.refunded, findRefunded),
    ...into('keys', needed.capped, (on, ids) => findCappedKeys(on, ids, ...month)),
    ...into('budgets', needed.tags.values(), (on, list) => findBudgets(on, list, ...month)),
    ...ifAny(perMinute, async (list) => {
      const counted = await findKeyMinutes(tx, list, minuteOf(now));
      for (const key of counted) rateLimit?.keys.set(rateLimitKey(key), key);
    }),
    ...ifAny(atOnce, async (list) => {
      const counted = await countInProgress(tx, list, now);
      for (const [key, requests] of counted) rateLimit?.running.set(key, requests);
    }),
    ...ifAny(names, async (list) => {
      for (const found of await findClaims(tx, list)) book.claims.set(claimPlace(found), found);
    }),
  ]);
  // A missing hold was closed before; its transfer shows how.
  const gone = [...needed.holds].filter((id) => !book.holds.has(id));
  await allSettled([
    ...ifAny(gone, (ids) => readTransfers(tx, book, ids)),
    ...ifAny(keysToSettle(book, batch), async (ids) => {
      for (const [id, key] of await findCappedKeys(tx, ids, ...month)) book.keys.set(id, key);
    }),
  ]);
}

/** The rows of idempotency keys that a posting may find or write. */
function claimsOf({ claim, under, account_id }: Posting): { account_id: string; key: string }[] {
  if (claim) return placesOf(claim).map((key) => ({ account_id, key }));
  return under ? [under] : [];
}

/** Keys that may have a cap which a settlement of the batch may use up. */
function keysToSettle(book: Book, batch: readonly Posting[]): string[] {
  const keys = batch.flatMap(({ entry }) => {
    if (entry?.kind !== 'settle') return [];
    const hold = book.holds.get(entry.id);
    if (hold) return hold.counted && hold.key_id !== null ? hold.key_id : [];
    return entry.unheld?.key_id ?? [];
  });
  return [...new Set(keys)].filter((id) => !book.keys.has(id));
}

async function readTransfers(tx: Runner, book: Book, ids: readonly string[]): Promise<void> {
  for (const line of await findTransfers(tx, ids)) book.transfers.set(line.id, line);
}

function countersIn(batch: readonly Posting[], { per_key_minute }: RateLimit): Counter[] {
  return batch.flatMap(({ entry, claim }) => {
    const counted = entry?.kind === 'hold' ? entry : claim;
    return counted ? countersOf(per_key_minute, counted) : [];
  });
}

function rowsNeededBy(batch: readonly Posting[], repeated: boolean) {
  const needed = {
    holds: new Set<string>(),
    /** Accounts with a new job. */
    exposed: new Set<string>(),
    /** Accounts with an allowance. */
    allowances: new Set<string>(),
    transfers: new Set<string>(),
    refunded: new Set<string>(),
    capped: new Set<string>(),
    /** Tag values of holds, by `budgetKey`. */
    tags: new Map<string, TagValue>(),
  };
  for (const { account_id, entry, claim } of batch) {
    // If a replay was counted before, there is a hold under the id of its request.
    if (claim && repeated) needed.holds.add(claim.owner);
    switch (entry?.kind) {
      case 'hold': {
        const { id, key_id, uncapped, tags, overdraft } = entry;
        if (overdraft !== undefined) needed.exposed.add(account_id);
        for (const [tag, value] of tagPairs(tags)) {
          const asked = { account_id, tag, value };
          needed.tags.set(budgetKey(asked), asked);
        }
        // The id is new unless the batch is a retry. If it is not new, the insert fails.
        if (repeated) needed.holds.add(id);
        if (key_id !== null && !uncapped) needed.capped.add(key_id);
        break;
      }
      case 'settle':
        if (entry.reserved?.gateway_id !== undefined) needed.allowances.add(account_id);
        if (!entry.reserved) needed.holds.add(entry.id);
        else if (repeated) needed.transfers.add(entry.id);
        break;
      case 'release':
        needed.holds.add(entry.id);
        break;
      case 'refund':
        needed.transfers.add(entry.hold_id).add(entry.id);
        needed.refunded.add(entry.hold_id);
        break;
      case 'topup':
      case 'adjust':
        needed.transfers.add(entry.id);
        break;
      case undefined:
    }
  }
  return needed;
}

export function ifAny<T, R>(some: Iterable<T>, work: (list: readonly T[]) => R): R[] {
  const list = [...some];
  return list.length === 0 ? [] : [work(list)];
}

/** Waits for independent statements. All of them have ended before an error is thrown. */
export async function allSettled(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(statements)) {
    if (ended.status === 'rejected') throw ended.reason;
  }
}
