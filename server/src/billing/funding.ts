// The money that covers the holds in memory. A SQLite store belongs to one process, which may hold
// all free money. On PostgreSQL each gateway holds against its allowance.
import type { HoldEntry } from './core/entries.ts';
import type { Journal } from './journal.ts';
import type { BatchFacts, Posted, Posting } from './posting.ts';
import type { Reservations } from './core/reservations.ts';
import type { Database } from '../store/index.ts';
import { type BatchTask, bookBatch } from './book-batch.ts';

/** What is absent is not needed where the whole balance covers the holds. */
export interface Funding {
  journal: Journal;
  /** The time between the starts of two journal batches under load. */
  paceMs?: () => number;
  /** True if requests may be held in memory. */
  isOpen: () => boolean;
  /** The gateway whose allowances cover the holds in memory. Undefined if the balance does. */
  gatewayId: () => string | undefined;
  /** The store is deciding an entry that may take this much, until the result is called. */
  addPending: (accountId: string, amount: number) => () => void;
  /** Notes a request that was held in memory, or that could have been if there had been room. */
  noteHold?: (accountId: string, amount: number) => void;
  noteSpent: (accountId: string, reserved: number, cost: number) => void;
  /** Notes that a settlement may or may not have been journaled. */
  noteUncertain: (accountId: string) => void;
  /** Gets back money that other gateways do not use. False if there was none. */
  recallAll?: (accountId: string) => Promise<boolean>;
  bookRows: (batch: readonly Posting[], context: BatchFacts) => Promise<Posted[]>;
  open?: () => Promise<void>;
  close?: () => Promise<void>;
  /** What is granted and spent, by account. */
  inspect?: () => Map<string, { granted: number; spent: number }> | undefined;
}

/** For the limit on concurrent requests, and to release the hold if the gateway dies. */
export function servedBy(
  funding: Pick<Funding, 'gatewayId'>,
  { limits, expires_at }: Pick<HoldEntry, 'limits' | 'expires_at'>,
): Pick<HoldEntry, 'gateway_id' | 'served_by'> {
  const id = funding.gatewayId();
  return {
    ...(limits ? { gateway_id: id ?? '' } : {}),
    // A job outlives the gateway that accepted it.
    ...(id === undefined || expires_at === null ? {} : { served_by: id }),
  };
}

/** On SQLite: the store belongs to this process, so memory may hold all free money. */
export function makeWholeBalance(
  database: Database,
  task: BatchTask,
  reservations: Reservations,
): Funding {
  const { defer } = database;
  if (!defer) throw new Error('this store has no journal of its own');
  return {
    journal: {
      append: async (batch, now) => {
        await defer(task, { batch, context: { now } });
        return true;
      },
    },
    isOpen: () => true,
    gatewayId: () => undefined,
    addPending: reservations.addPending,
    noteSpent: (accountId, _reserved, cost) => reservations.debit(accountId, cost),
    noteUncertain: (accountId) => reservations.setAvailable(accountId, undefined),
    // Passes the holds in memory to the store, and takes over the available amounts it reports.
    bookRows: async (batch, context) => {
      const ids = [...new Set(batch.map(({ account_id }) => account_id))];
      try {
        const reserved = Object.fromEntries(ids.map((id) => [id, reservations.sumOf(id)]));
        const { posted, free } = await bookBatch(database, task, batch, { ...context, reserved });
        for (const id of ids) reservations.setAvailable(id, free[id]);
        return posted;
      } catch (error) {
        // The batch may or may not have been committed.
        for (const id of ids) reservations.setAvailable(id, undefined);
        throw error;
      }
    },
  };
}
