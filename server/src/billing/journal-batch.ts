// Deferred settlement. Money held in memory is guaranteed, so the answers may leave once their
// batch is in the journal. Rows of the request log without an entry are deferred as well.
import { settledFrom } from './core/decide.ts';
import type { Funding } from './funding.ts';
import type { Posted, Posting } from './posting.ts';

/** Undefined when another gateway took this one for dead, so the money is not guaranteed. */
export async function journalBatch(
  funding: Funding,
  batch: readonly Posting[],
  now: number,
): Promise<Posted[] | undefined> {
  if (!(await funding.journal.append(batch, now))) return undefined;
  return batch.map(({ account_id, entry }) => {
    const reserved = entry?.kind === 'settle' && entry.reserved;
    if (!reserved) return { outcome: { kind: 'skipped' } };
    const outcome = settledFrom(entry, reserved.amount);
    funding.noteSpent(account_id, reserved.amount, outcome.cost);
    return { outcome };
  });
}

export function isDeferrable({ entry, claim, under, linked, costs_request }: Posting): boolean {
  if (claim ?? under ?? linked ?? costs_request) return false;
  if (!entry) return true;
  return entry.kind === 'settle' && !!entry.reserved;
}

/** The same batch without its money and its log rows of charges: those settlements fail. */
export function withoutMoney(batch: readonly Posting[]): Posting[] {
  return batch.map((posting) => (posting.entry ? { account_id: posting.account_id } : posting));
}
