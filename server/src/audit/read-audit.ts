// Reads the audit log: page by page, or all of it as lines of JSON.
import type { AuditEntry, AuditList, AuditQuery } from '@trivium/contract';
import type { Runner } from '../store/database.ts';
import { iso, nextCursor, readDateRange, readPage } from '../store/paging.ts';
import { listEntries } from './store/audit-log.ts';
import type { EntryRow } from './store/audit-log.ts';

interface AuditReader {
  database: Runner;
}

export async function readAudit({ database }: AuditReader, query: AuditQuery): Promise<AuditList> {
  const page = readPage(query);
  const rows = await listEntries(database, { ...query, ...readDateRange(query) }, page);
  return { entries: rows.map(showEntry), next_cursor: nextCursor(rows, page) };
}

/** How many entries are in memory at a time. */
const entriesPerStep = 200;

/** Every entry that matches, one line each. The caller's pace decides when the next are read. */
export function exportAudit(
  { database }: AuditReader,
  query: AuditQuery,
): ReadableStream<Uint8Array> {
  const filter = { ...query, ...readDateRange(query) };
  const encoder = new TextEncoder();
  let page = readPage({ ...query, limit: entriesPerStep });
  return new ReadableStream({
    pull: async (controller) => {
      const rows = await listEntries(database, filter, page);
      const text = rows.map((row) => `${JSON.stringify(showEntry(row))}\n`).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      page = { ...page, position: rows.at(-1) };
      if (rows.length < entriesPerStep) controller.close();
    },
  });
}

function showEntry({ created_at, ...row }: EntryRow): AuditEntry {
  return { ...row, created_at: iso(created_at) };
}
