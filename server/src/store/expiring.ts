// Rows that expire: how long each kind is kept, and the statement that deletes the oldest of them.
import type { Settings } from '../settings/index.ts';
import type { Database, Runner } from './database.ts';

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

interface ExpiringRows extends Omit<Expiring, 'kind' | 'step'> {
  table: string;
  /** The name of the table if absent. */
  kind?: string;
  /** The columns of the table's key. */
  key: string;
  /** Deletes rows whose expiry in this column is not later than `at`, by default now. */
  expires?: string;
  /** Deletes rows with a smaller value in this column than `at`, by default `keptMs` ago. */
  since?: string;
  at?: (now: number, keptMs: number) => number;
}

export function expiring({
  table,
  kind = table,
  key,
  expires,
  since = 'created_at',
  at = (now, keptMs) => (expires === undefined ? now - keptMs : now),
  ...kept
}: ExpiringRows): Expiring {
  const due = expires === undefined ? `${since} < $1` : `${expires} <= $1`;
  const deleteDue = deleteSteps({ table, key, due, order: expires ?? since });
  return {
    kind,
    ...kept,
    step: (database, { now, keptMs }, limit) => deleteDue(database, at(now, keptMs), limit),
  };
}

/** Deletes at most `limit` due rows, in order, and returns how many. */
export function deleteSteps({
  table,
  key,
  due,
  order,
}: Record<'table' | 'key' | 'due' | 'order', string>) {
  const text = `delete from ${table} where (${key}) in
    (select ${key} from ${table} where ${due} order by ${order} limit $2) returning 1`;
  return async (on: Runner, at: number, limit: number): Promise<number> =>
    (await on.run(text, [at, limit])).length;
}
