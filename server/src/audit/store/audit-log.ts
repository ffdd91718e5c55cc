// The table of the audit log: rows are only added, until their time has passed.
import type { AuditAction, AuditActor } from '@trivium/contract';
import type { Row, Runner } from '../../store/database.ts';
import { olderThan, whereAll } from '../../store/filters.ts';
import type { ListPage } from '../../store/filters.ts';
import { rowStatement } from '../../store/rows.ts';
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
  /** In milliseconds; `before` is not included. */
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

/** From newest to oldest. */
export async function listEntries(
  on: Runner,
  filter: EntryFilter,
  { position, limit }: ListPage,
): Promise<EntryRow[]> {
  const where = whereAll([
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'action = ?', values: [filter.action] },
    { text: 'actor_kind = ?', values: [filter.actor] },
    { text: 'actor_id = ?', values: [filter.person_id] },
    { text: 'target = ?', values: [filter.target] },
    { text: 'created_at >= ?', values: [filter.from] },
    { text: 'created_at < ?', values: [filter.before] },
    olderThan(position),
  ]);
  const rows = await on.run(
    `select id, created_at, actor_kind, actor_id, actor_name, address, account_id, action, target,
       fields_before, fields_after
     from audit_log${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readEntry);
}

/** Returns how many entries were deleted. */
export async function deleteOldEntries(on: Runner, before: number, limit: number): Promise<number> {
  const rows = await on.run(
    `delete from audit_log where id in
       (select id from audit_log where created_at < $1 order by created_at, id limit $2)
     returning id`,
    [before, limit],
  );
  return rows.length;
}

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

function fieldsOf(text: unknown): Fields | null {
  return typeof text === 'string' ? (JSON.parse(text) as Fields) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
