// Exports the audit log as a CSV file with names, built in the browser from the pages of the list.
import type { AuditEntry } from '@trivium/contract';
import type { AuditFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { csvText } from '../api/csv.ts';
import { saveFile } from '../api/save-file.ts';
import { actionLabels, actorLabel, changeLabels, targetLabel } from './audit-labels.ts';
import type { Names } from './audit-labels.ts';

const maxEntries = 100_000;
const pageSize = 500;

export async function exportAudit(filters: AuditFilters, names: Names): Promise<void> {
  const entries: AuditEntry[] = [];
  for await (const entry of admin.audit.list({ ...filters, limit: pageSize })) {
    entries.push(entry);
    if (entries.length === maxEntries) break;
  }
  saveFile(auditCsv(entries, names), 'trivium-audit-log.csv', 'text/csv');
}

function auditCsv(entries: readonly AuditEntry[], names: Names): string {
  return csvText([
    ['time', 'change', 'by', 'from', 'account', 'of', 'of_id', 'what', 'id'],
    ...entries.map((entry) => [
      entry.created_at,
      actionLabels[entry.action] ?? entry.action,
      actorLabel(entry.actor, names),
      entry.address,
      entry.account_id === null ? null : (names.get(entry.account_id) ?? entry.account_id),
      targetLabel(entry, names),
      entry.target,
      changeLabels(entry, names).join('; '),
      entry.id,
    ]),
  ]);
}
