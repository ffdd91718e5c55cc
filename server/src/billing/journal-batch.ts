// Deferred settlement. Money held in memory is guaranteed, so the answers may leave once their
// batch is in the journal. Rows of the request log without an entry are deferred as well.
import { settledFrom } from './core/decide.ts';
import type { SettleEntry } from './core/entries.ts';
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

/** The same batch for a gateway whose allowances are gone: it is settled without its holds. */
export function withoutHolds(batch: readonly Posting[]): Posting[] {
  return batch.map((posting) => {
    const { entry } = posting;
    return entry?.kind === 'settle' ? { ...posting, entry: unheldSettle(entry) } : posting;
  });
}

/** The settle of a hold in memory that is no longer covered. */
export function unheldSettle({ reserved, ...entry }: SettleEntry): SettleEntry {
  if (!reserved) return entry;
  const { gateway_id: _gateway, ...unheld } = reserved;
  return { ...entry, unheld };
}
