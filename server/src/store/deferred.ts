// Deferred work as the audit reads it; the embedded store's thread writes and performs it.
import type { Runner } from '../platform/database.ts';

export interface DeferredRow {
  task: string;
  /** Why it could not be booked; null while it waits. */
  trouble: string | null;
  created_at: number;
  /** What was to be charged, as far as it can be read. */
  settles: DeferredSettle[];
}

export interface DeferredSettle {
  account_id: string;
  id: string;
  cost: number;
}

const most_rows = 100;

/** What failed comes first, then what has waited longest. */
export async function findDeferred(on: Runner): Promise<DeferredRow[]> {
  const rows = await on.run(
    `select task, input, trouble, created_at from deferred
     order by case when trouble is null then 1 else 0 end, created_at limit ${most_rows}`,
  );
  return rows.map((row) => ({
    task: String(row['task']),
    trouble: row['trouble'] === null ? null : String(row['trouble']),
    created_at: Number(row['created_at']),
    settles: settlesIn(String(row['input'])),
  }));
}

/** Work that cannot be read cannot be booked either, and is told without its settles. */
function settlesIn(input: string): DeferredSettle[] {
  try {
    const { batch } = JSON.parse(input) as { batch: { entry?: DeferredSettle }[] };
    return batch.flatMap(({ entry }) => (entry ? [entry] : []));
  } catch {
    return [];
  }
}
