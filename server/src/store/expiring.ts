// Rows that expire: how long each kind is kept, and the statement that deletes the oldest of them.
import type { Settings } from '../settings/index.ts';
import type { Database } from './database.ts';

type KeptSettings = Pick<
  Settings,
  | 'request_log_days'
  | 'request_log_hours'
  | 'audit_log_days'
  | 'cache_keep_hours'
  | 'webhook_log_days'
>;

/** Rows of one kind that expire. `app/retention.ts` runs the steps. */
export interface Expiring {
  /** The name in the log and in the metrics. */
  kind: string;
  /** How long a row is kept, or the shortest time if each has its own expiry. */
  keptMs: number | ((settings: KeptSettings) => number);
  /** Deletes or folds at most `limit` rows, and returns how many it found. */
  step: (database: Database, at: { now: number; keptMs: number }, limit: number) => Promise<number>;
  /** The limit of a step. */
  rows?: number;
}

interface ExpiringRows extends Omit<Expiring, 'step'> {
  table: string;
  /** The columns of the table's key. */
  key: string;
  /** A condition on `$1`, the time `at`. */
  due: string;
  order: string;
  at?: (now: number, keptMs: number) => number;
}

export function expiring({ table, key, due, order, at, ...kept }: ExpiringRows): Expiring {
  const deleteDue = deleteSteps({ table, key, due, order });
  const before = at ?? ((now, keptMs) => now - keptMs);
  return {
    ...kept,
    step: (database, { now, keptMs }, limit) => deleteDue(database, before(now, keptMs), limit),
  };
}

/** Deletes at most `limit` due rows, in order, and returns how many. */
export function deleteSteps({
  table,
  key,
  due,
  order,
}: Pick<ExpiringRows, 'table' | 'key' | 'due' | 'order'>) {
  const text = `delete from ${table} where (${key}) in
    (select ${key} from ${table} where ${due} order by ${order} limit $2) returning 1`;
  return async (on: Pick<Database, 'run'>, at: number, limit: number): Promise<number> =>
    (await on.run(text, [at, limit])).length;
}
