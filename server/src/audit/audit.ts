// The audit log: who changed what, with only the fields that differ, and never secrets. Call it in
// the transaction of the change, so that a change and its entry are always written together.
import type { AuditAction, AuditActor } from '@trivium/contract';
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/index.ts';
import { type EntryRow, type Fields, insertEntries } from './store/audit-log.ts';

/** Who makes a change, and from where. */
export interface Author extends AuditActor {
  /** The IP address of the caller. Null if no caller is involved. */
  address: string | null;
}

export interface AuditedChange {
  action: AuditAction;
  /** Null for a change to the whole gateway. */
  account_id: string | null;
  /** The id of the changed object. */
  target: string;
  /** Absent for a new object. */
  before?: Fields;
  /** Absent for a removed object. */
  after?: Fields;
}

/** The gateway itself, when it starts. */
export const bootstrap: Author = { kind: 'bootstrap', id: null, name: null, address: null };

/** A command that opens the store directly, without a gateway. */
export const commandLine: Author = { kind: 'command_line', id: null, name: null, address: null };

/** A person who calls from this address, which is empty if it is unknown. */
export function personAuthor(
  { id, email }: { id: string; email: string | null },
  address: string,
): Author {
  return { kind: 'person', id, name: email, address: address || null };
}

/** Writes nothing if no field differs. */
export function audit(tx: Runner, by: Author, change: AuditedChange, at: number): Promise<void> {
  return auditAll(tx, [{ by, change }], at);
}

/** Records many changes in one statement. */
export async function auditAll(
  tx: Runner,
  changes: readonly { by: Author; change: AuditedChange }[],
  at: number,
): Promise<void> {
  const entries = changes.flatMap(({ by, change }) => {
    const difference = differenceOf(change);
    if (!difference) return [];
    const { action, account_id, target } = change;
    const { address, ...actor } = by;
    const entry = { id: newId('audit'), created_at: at, actor, address };
    return [{ ...entry, account_id, action, target, ...difference }];
  });
  if (entries.length > 0) await insertEntries(tx, entries);
}

/** Undefined if no field differs. */
function differenceOf({
  before,
  after,
}: AuditedChange): Pick<EntryRow, 'before' | 'after'> | undefined {
  if (!before || !after) {
    return {
      before: before ? withoutSecrets(before) : null,
      after: after ? withoutSecrets(after) : null,
    };
  }
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  return { before: pick(withoutSecrets(before), names), after: pick(withoutSecrets(after), names) };
}

/** Names of values that must never be written, whatever a caller passes in. */
const secretName = /^(?:key|hash|.*(?:secret|token|password|credential)s?)$/i;
const secretValue = /\b(?:sk_live_|sk_test_|whsec_|op_|mc[pcr]_)[A-Za-z0-9+/=_-]{20,}/;

function withoutSecrets(fields: Fields): Fields {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    isSecret(name, value) ? '[secret]' : value,
  ]);
  return Object.fromEntries(shown);
}

function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  return secretName.test(name) || secretValue.test(JSON.stringify(value));
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}
