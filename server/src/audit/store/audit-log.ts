// The table of the audit log. Rows are only added, and deleted when their retention ends.
import type { AuditAction, AuditActor } from '@trivium/contract';
import {
  deleteSteps,
  checked,
  type Filter,
  type ListPage,
  readJson,
  type Row,
  rowStatement,
  type Runner,
  type ScanLimits,
  type Scanned,
  scanPage,
  shapeOf,
  textOrNull,
  timeFilters,
} from '../../store/index.ts';
import type { Difference, Fields } from '../core/change.ts';

export interface EntryRow extends Difference {
  id: string;
  created_at: number;
  actor: AuditActor;
  address: string | null;
  account_id: string | null;
  action: AuditAction;
  target: string;
}

interface EntryFilter {
  account_id?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  person_id?: string | undefined;
  target?: string | undefined;
  /** In milliseconds. `before` is exclusive. */
  from?: number | undefined;
  before?: number | undefined;
}

const insertEntriesStatement = rowStatement(
  ['text', 'bigint', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'text'],
  (table) => `insert into audit_log (id, created_at, actor_kind, actor_id, actor_name, address,
       account_id, action, target, fields_before, fields_after)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11
     from ${table} where column1 is not null`,
);

export async function insertEntries(on: Runner, entries: readonly EntryRow[]): Promise<void> {
  const rows = entries.map((entry) => [
    entry.id,
    entry.created_at,
    entry.actor.kind,
    entry.actor.id,
    entry.actor.name,
    entry.address,
    entry.account_id,
    entry.action,
    entry.target,
    entry.before && JSON.stringify(entry.before),
    entry.after && JSON.stringify(entry.after),
  ]);
  await on.run(...insertEntriesStatement(rows));
}

const columns = `id, created_at, actor_kind, actor_id, actor_name, address, account_id, action,
  target, fields_before, fields_after`;

/** Newest first. */
export function listEntries(
  on: Runner,
  filter: EntryFilter,
  page: ListPage,
  limits?: ScanLimits,
): Promise<Scanned<EntryRow>> {
  const ofAccount = { text: 'account_id = ?', values: [filter.account_id] };
  const ofTarget = { text: 'target = ?', values: [filter.target] };
  // Both have an index. If both are given, the target matches fewer entries.
  const [first, second] =
    filter.target === undefined ? [ofAccount, ofTarget] : [ofTarget, ofAccount];
  const others: Filter[] = [
    second,
    { text: 'action = ?', values: [filter.action] },
    { text: 'actor_kind = ?', values: [filter.actor] },
    { text: 'actor_id = ?', values: [filter.person_id] },
  ];
  const indexed = [first, ...timeFilters(filter)];
  const list = { table: 'audit_log', columns, read: readEntry, indexed, others };
  return scanPage(on, list, page, limits);
}

/** How often an action was performed in an account since a given time. Stops counting at `max`. */
export async function countEntries(
  on: Runner,
  { account_id, action, from }: { account_id: string; action: AuditAction; from: number },
  max: number,
): Promise<number> {
  const [row] = await on.run(
    `select count(*) as count from (select id from audit_log
       where account_id = $1 and action = $2 and created_at >= $3 limit $4) as found`,
    [account_id, action, from, max],
  );
  return Number(row?.['count'] ?? 0);
}

/** Returns how many entries were deleted. */
export const deleteOldEntries = deleteSteps({
  table: 'audit_log',
  key: 'id',
  due: 'created_at < $1',
  order: 'created_at, id',
});

function readEntry(row: Row): EntryRow {
  return {
    id: String(row['id']),
    created_at: Number(row['created_at']),
    actor: {
      kind: String(row['actor_kind']) as AuditActor['kind'],
      id: textOrNull(row['actor_id']),
      name: textOrNull(row['actor_name']),
    },
    address: textOrNull(row['address']),
    account_id: textOrNull(row['account_id']),
    action: String(row['action']) as AuditAction,
    target: String(row['target']),
    before: fieldsOf(row['fields_before']),
    after: fieldsOf(row['fields_after']),
  };
}

const isFields = shapeOf<Fields>({});

function fieldsOf(text: unknown): Fields | null {
  return typeof text === 'string'
    ? readJson('An entry of the audit log', checked(isFields), text)
    : null;
}
