// Funding on SQLite: the store belongs to this process, so memory may hold all free money.
import type { Reservations } from './core/reservations.ts';
import type { Database } from '../store/index.ts';
import { bookBatch } from './book-batch.ts';
import type { BatchTask } from './book-batch.ts';
import type { Funding } from './funding.ts';
import { makeSqliteJournal } from './journal.ts';
import type { BatchContext, Posted, Posting } from './posting.ts';

export function makeWholeBalance(
  database: Database,
  task: BatchTask,
  reservations: Reservations,
): Funding {
  return {
    journal: makeSqliteJournal(database, task),
    isShared: false,
    paceMs: () => 0,
    isOpen: () => true,
    gatewayId: () => undefined,
    addPending: reservations.addPending,
    noteHold: () => undefined,
    noteSpent: (accountId, _reserved, cost) => reservations.debit(accountId, cost),
    noteUncertain: (accountId) => reservations.setAvailable(accountId, undefined),
    recallAll: () => Promise.resolve(false),
    bookRows: (batch, context) => bookRows(reservations, database, task, batch, context),
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    inspect: () => undefined,
  };
}

/**
 * Passes the holds in memory to the store, and takes over the available amounts that it reports.
 */
async function bookRows(
  reservations: Reservations,
  database: Database,
  task: BatchTask,
  batch: readonly Posting[],
  context: BatchContext,
): Promise<Posted[]> {
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
}
