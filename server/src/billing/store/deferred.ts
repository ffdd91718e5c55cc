// Deferred tasks as the audit reads them; the SQLite thread writes and runs them.
import type { Runner } from '../../store/database.ts';

export interface DeferredRow {
  task: string;
  /** Why it could not be booked; null while it waits to be booked. */
  trouble: string | null;
  created_at: number;
  /** The charges in it, if it is readable. */
  settles: DeferredSettle[];
}

interface DeferredSettle {
  account_id: string;
  id: string;
  cost: number;
}

const maxRows = 100;

/** Failed tasks first, then those that have waited longest. */
export async function findDeferred(on: Runner): Promise<DeferredRow[]> {
  const rows = await on.run(
    `select task, input, trouble, created_at from deferred
     order by case when trouble is null then 1 else 0 end, created_at limit ${maxRows}`,
  );
  return rows.map((row) => ({
    task: String(row['task']),
    trouble: row['trouble'] === null ? null : String(row['trouble']),
    created_at: Number(row['created_at']),
    settles: settlesIn(String(row['input'])),
  }));
}

/** An unreadable task cannot be booked either; it is reported without its charges. */
function settlesIn(input: string): DeferredSettle[] {
  try {
    const { batch } = JSON.parse(input) as { batch: { entry?: DeferredSettle }[] };
    return batch.flatMap(({ entry }) => (entry ? [entry] : []));
  } catch {
    return [];
  }
}
