// Records a change in the audit log. Call it in the transaction of the change, so that there is
// neither a change without its entry nor an entry without its change.
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/database.ts';
import { differenceOf } from './core/change.ts';
import type { AuditedChange, Author } from './core/change.ts';
import { insertEntry } from './store/audit-log.ts';

/** Writes nothing when no field differs. */
export async function audit(
  tx: Runner,
  by: Author,
  change: AuditedChange,
  at: number,
): Promise<void> {
  const difference = differenceOf(change);
  if (!difference) return;
  const { action, account_id, target } = change;
  const { kind, id, name, address } = by;
  await insertEntry(tx, {
    id: newId('audit'),
    created_at: at,
    actor: { kind, id, name },
    address,
    account_id,
    action,
    target,
    ...difference,
  });
}
