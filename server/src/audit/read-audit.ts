// Reads the audit log: page by page, in full as lines of JSON, and to limit how often the people of
// an account may do what writes rows each time.
import { hourMs } from '@trivium/contract/durations';
import type { AuditEntry, AuditList, AuditQuery } from '@trivium/contract';
import { maxExportRows, tryLater } from '@trivium/contract';
import {
  type Expiring,
  iso,
  type ReadableDatabase,
  readDateRange,
  type Runner,
} from '../store/index.ts';
import { streamOf } from '../platform/streams.ts';
import { countEntries, type EntryRow, expiredEntries, listEntries } from './store/audit-log.ts';

interface ReadableLog {
  database: ReadableDatabase;
}

export async function readAudit({ database }: ReadableLog, query: AuditQuery): Promise<AuditList> {
  const page = await listEntries(database.reader, { ...query, ...readDateRange(query) });
  return { entries: page.rows.map(showEntry), ...page.end };
}

/** How many entries are in memory at a time. */
const entriesPerStep = 200;

/**
 * Exports every matching entry, one per line. The next entries are read when the caller is ready
 * for them. If the export reaches its limit, the last line says where to continue.
 */
export async function exportAudit(
  log: ReadableLog,
  query: AuditQuery,
  maxRows = maxExportRows,
): Promise<ReadableStream<Uint8Array>> {
  const lines = exportedLines(log, query, maxRows);
  // Read before the response begins, because a refusal can set the status only until then.
  const first = await lines.next();
  const all = async function* () {
    if (first.value) yield first.value;
    yield* lines;
  };
  return streamOf(all());
}

async function* exportedLines(
  { database }: ReadableLog,
  query: AuditQuery,
  maxRows: number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let page = { ...query, ...readDateRange(query), limit: entriesPerStep };
  for (let looked = 0, isOver = false; !isOver;) {
    const step = await listEntries(database.reader, page);
    looked += step.looked;
    const lines: object[] = step.rows.map(showEntry);
    isOver = step.stop === undefined || looked >= maxRows;
    if (step.stop && isOver) lines.push(step.stop);
    page = { ...page, cursor: step.stop?.next_cursor };
    if (lines.length > 0)
      yield encoder.encode(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
}

function showEntry({ created_at, ...row }: EntryRow): AuditEntry {
  return { ...row, created_at: iso(created_at) };
}

/** Per hour, for all endpoints of an account together. */
const maxInAnHour = { 'webhook.tested': 200, 'webhook.redelivered': 2000 } as const;

/**
 * Throws above the limit. Endpoints of the gateway itself belong to its operators and are not
 * limited.
 */
export async function checkHourly(
  tx: Runner,
  action: keyof typeof maxInAnHour,
  accountId: string | null,
  now: number,
): Promise<void> {
  if (accountId === null) return;
  const max = maxInAnHour[action];
  const since = { account_id: accountId, action, from: now - hourMs };
  if ((await countEntries(tx, since, max)) < max) return;
  const message = `An account can do this ${max} times an hour. Try again later.`;
  throw tryLater('rate_limited', message, 600);
}

export const auditExpiry: readonly Expiring[] = [expiredEntries];
