// Reads the audit log, page by page or in full as lines of JSON.
import type { AuditEntry, AuditList, AuditQuery } from '@trivium/contract';
import { maxExportRows } from '@trivium/contract';
import { iso, pageEnd, type ReadableDatabase, readDateRange, readPage } from '../store/index.ts';
import { listEntries } from './store/audit-log.ts';
import type { EntryRow } from './store/audit-log.ts';

interface AuditReader {
  database: ReadableDatabase;
}

export async function readAudit({ database }: AuditReader, query: AuditQuery): Promise<AuditList> {
  const filter = { ...query, ...readDateRange(query) };
  const found = await listEntries(database.reader, filter, readPage(query));
  return { entries: found.rows.map(showEntry), ...pageEnd(found) };
}

/** How many entries are in memory at a time. */
const entriesPerStep = 200;

/**
 * Exports every matching entry, one per line. The next entries are read when the caller is ready
 * for them. If the export reaches its limit, the last line says where to continue.
 */
export function exportAudit(
  { database }: AuditReader,
  query: AuditQuery,
  maxRows = maxExportRows,
): ReadableStream<Uint8Array> {
  const filter = { ...query, ...readDateRange(query) };
  const encoder = new TextEncoder();
  let page = readPage({ ...query, limit: entriesPerStep });
  let looked = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const found = await listEntries(database.reader, filter, page);
      looked += found.looked;
      page = { ...page, position: found.next };
      const lines: object[] = found.rows.map(showEntry);
      const isOver = found.next === undefined || looked >= maxRows;
      if (found.next && isOver) lines.push(pageEnd({ next: found.next, isCutShort: true }));
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (isOver) controller.close();
    },
  });
}

function showEntry({ created_at, ...row }: EntryRow): AuditEntry {
  return { ...row, created_at: iso(created_at) };
}
