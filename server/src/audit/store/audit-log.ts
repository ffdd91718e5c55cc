// The table of the audit log. Rows are only added, and deleted when their retention ends.
import type { AuditAction, AuditActor } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import {
  is,
  equal,
  expiring,
  json,
  type ListPage,
  orNull,
  query,
  type Row,
  type Runner,
  scanPage,
  table,
  text,
  textOf,
  timeFilters,
  whole,
} from '../../store/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface EntryRow {
  id: string;
  created_at: number;
  actor: AuditActor;
  address: string | null;
  account_id: string | null;
  action: AuditAction;
  target: string;
  /** Only what differs. Null for a new object. */
  before: Fields | null;
  /** Null for a removed object. */
  after: Fields | null;
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

const isFields = is.shape<Fields>({});

const log = table(
  'audit_log',
  {
    id: text,
    created_at: whole,
    actor_kind: textOf<AuditActor['kind']>(),
    actor_id: orNull(text),
    actor_name: orNull(text),
    address: orNull(text),
    account_id: orNull(text),
    action: textOf<AuditAction>(),
    target: text,
    fields_before: orNull(json(isFields)),
    fields_after: orNull(json(isFields)),
  },
  'audit entry',
);

const insertRows = log.insert();

export async function insertEntries(on: Runner, entries: readonly EntryRow[]): Promise<void> {
  await insertRows(
    on,
    entries.map(({ actor, before, after, ...entry }) => ({
      ...entry,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      fields_before: before,
      fields_after: after,
    })),
  );
}

/** Newest first. */
export function listEntries(on: Runner, page: EntryFilter & ListPage) {
  const { account_id, target, action, actor: actor_kind, person_id: actor_id } = page;
  // Both have an index. If both are given, the target matches fewer entries.
  const [first, second] =
    target === undefined ? [{ account_id }, { target }] : [{ target }, { account_id }];
  const others = equal({ ...second, action, actor_kind, actor_id });
  const indexed = [...equal(first), ...timeFilters(page)];
  return scanPage(on, { ...log, read: readEntry, indexed, others }, page);
}

/** How often an action was performed in an account since a given time. Stops counting at `max`. */
export function countEntries(
  on: Runner,
  { account_id, action, from }: { account_id: string; action: AuditAction; from: number },
  max: number,
): Promise<number> {
  return query.number(
    on,
    `select count(*) from (select id from audit_log
       where account_id = $1 and action = $2 and created_at >= $3 limit $4) as found`,
    [account_id, action, from, max],
  );
}

export const expiredEntries = expiring({
  keptMs: ({ audit_log_days }) => audit_log_days * dayMs,
  table: 'audit_log',
  key: 'id',
});

function readEntry(row: Row): EntryRow {
  const { actor_kind, actor_id, actor_name, fields_before, fields_after, ...entry } = log.read(row);
  const actor = { kind: actor_kind, id: actor_id, name: actor_name };
  return { ...entry, actor, before: fields_before, after: fields_after };
}
