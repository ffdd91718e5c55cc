// Deferred settlement. Funds reserved in memory are guaranteed, so the answer may leave once the
// settlement is journaled; booking follows within 50 ms. Rows of the request log without an entry
// are deferred as well.
import { settledFrom } from './core/decide.ts';
import type { Reservations } from './core/reservations.ts';
import type { Database } from '../store/database.ts';
import type { BatchTask } from './book-batch.ts';
import type { BatchContext, Posted, Posting } from './posting.ts';

/** Undefined when only the store can decide the batch. */
export function deferSettlement(
  reservations: Reservations,
  database: Database,
  task: BatchTask,
  batch: readonly Posting[],
  { now, repeated }: BatchContext,
): Promise<Posted[]> | undefined {
  if (!database.defer || repeated || !batch.every(isDeferrable)) return undefined;
  return database.defer(task, { batch, context: { now } }).then(() => {
    const posted = batch.map(expectedResult);
    for (const [at, { outcome }] of posted.entries()) {
      const accountId = batch[at]?.account_id;
      if (outcome.kind === 'settled' && accountId) reservations.debit(accountId, outcome.cost);
    }
    return posted;
  });
}

function isDeferrable({ entry, claim, under, linked, costs_request }: Posting): boolean {
  if (claim ?? under ?? linked ?? costs_request) return false;
  if (!entry) return true;
  return entry.kind === 'settle' && !!entry.reserved;
}

function expectedResult({ entry }: Posting): Posted {
  const reserved = entry?.kind === 'settle' && entry.reserved;
  const outcome = reserved ? settledFrom(entry, reserved.amount) : ({ kind: 'skipped' } as const);
  return { outcome, claim: { kind: 'claimed' } };
}
