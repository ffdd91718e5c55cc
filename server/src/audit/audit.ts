// Records a change in the audit log. Call it in the transaction of the change, so that a change and
// its entry are always written together.
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/index.ts';
import { differenceOf } from './core/change.ts';
import type { AuditedChange, Author } from './core/change.ts';
import { insertEntries } from './store/audit-log.ts';

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
    const { kind, id, name, address } = by;
    const actor = { kind, id, name };
    const named = { id: newId('audit'), created_at: at, actor, address };
    return [{ ...named, account_id, action, target, ...difference }];
  });
  if (entries.length > 0) await insertEntries(tx, entries);
}
