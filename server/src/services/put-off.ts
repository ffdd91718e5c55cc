// Settles that are put off: whose money is set aside in memory is sure to pay, so that it is enough
// to have written down what for. Rows of the request log that travel alone wait as well.
import { settledFrom } from '../domain/ledger/decide.ts';
import type { Reservations } from '../domain/ledger/reservations.ts';
import type { Database } from '../platform/database.ts';
import { post_task } from './post-batch.ts';
import type { Occasion, Posted, Posting } from './post-batch.ts';

/** Undefined when the store has to be asked what comes of the batch. */
export function putOff(
  reservations: Reservations,
  database: Database,
  batch: readonly Posting[],
  { now, repeated }: Occasion,
): Promise<Posted[]> | undefined {
  if (!database.defer || repeated || !batch.every(isSure)) return undefined;
  return database.defer(post_task, { batch, occasion: { now } }).then(() => {
    const posted = batch.map(foresee);
    for (const [at, { outcome }] of posted.entries()) {
      const account_id = batch[at]?.account_id;
      if (outcome.kind === 'settled' && account_id) reservations.spend(account_id, outcome.cost);
    }
    return posted;
  });
}

function isSure({ entry, claim, under, job, costs_request }: Posting): boolean {
  if (claim ?? under ?? job ?? costs_request) return false;
  if (!entry) return true;
  return entry.kind === 'settle' && !!entry.reserved;
}

function foresee({ entry }: Posting): Posted {
  const sure = entry?.kind === 'settle' && entry.reserved;
  const outcome = sure ? settledFrom(entry, sure.amount) : ({ kind: 'skipped' } as const);
  return { outcome, claim: { kind: 'claimed' } };
}
