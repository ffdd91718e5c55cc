// Paging of lists: the page that a caller asks for, newest first, and the cursor of the next one.
// Filters that no index serves are applied in steps to a bounded number of rows. A page that stops
// early says where it stopped.
import type { ListEnd, PageQuery } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { invalidPart } from '@trivium/contract/gateway-error';
import { machine } from '../platform/machine.ts';
import type { Row, Runner } from './database.ts';
import { type Filter, whereAll } from './filters.ts';

/** The page of a list to read. */
export interface ListPage extends PageQuery {
  limits?: typeof scanLimits;
}

/** Where the previous page ended, in a list from newest to oldest. */
interface ListPosition {
  created_at: number;
  id: string;
}

/** Whole days in UTC are both inclusive. Of two points in time, the second is exclusive. */
export function readDateRange({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}) {
  return {
    from: from === undefined ? undefined : Date.parse(from),
    before: to === undefined ? undefined : Date.parse(to) + (to.includes('T') ? 0 : dayMs),
  };
}

export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function writeCursor({ created_at, id }: ListPosition): string {
  return btoa(JSON.stringify([created_at, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function startAfter(cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const position = readCursor(cursor);
  if (position) return position;
  const message = 'The cursor is not valid. Use next_cursor of the previous page.';
  throw invalidPart('cursor', 'invalid_cursor', message);
}

/** Undefined if the text is not a cursor of this gateway. */
function readCursor(text: string): ListPosition | undefined {
  try {
    const parsed: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    if (!Array.isArray(parsed)) return undefined;
    const [createdAt, id] = parsed as unknown[];
    if (typeof createdAt !== 'number' || typeof id !== 'string') return undefined;
    if (!Number.isSafeInteger(createdAt) || !/^[\w:-]{1,100}$/.test(id)) return undefined;
    return { created_at: createdAt, id };
  } catch {
    return undefined;
  }
}

interface List<T> {
  /** Of the table. */
  name: string;
  columns: string;
  read: (row: Row) => T;
  /** Served by an index on these columns, created_at and id. */
  indexed: readonly Filter[];
  /** Compared with every row that `indexed` selects. */
  others?: readonly Filter[];
}

interface Scanned {
  rows: Row[];
  /** Where the next page begins. Undefined at the end of the list. */
  next: ListPosition | undefined;
  /** True if the page is incomplete because the limit of rows to read was reached. */
  isCutShort: boolean;
  /** How many rows were read, or a few more. */
  looked: number;
}

/** The maximum number of rows to read for one page, and when no step begins any more. */
const scanLimits = { rowsPerStep: 5000, maxRows: 50_000, maxMs: 10_000 };

const listEnd: ListEnd = { next_cursor: null, searched_until: null };

export async function scanPage<T>(on: Runner, list: List<T>, page: ListPage) {
  const { rows, next, isCutShort, looked } = await scanRows(on, list, page);
  // The end of an export that reads no further page. Undefined at the end of the list.
  const stop = next && { next_cursor: writeCursor(next), searched_until: iso(next.created_at) };
  const end: ListEnd = { ...(stop ?? listEnd), ...(isCutShort ? {} : { searched_until: null }) };
  return { rows: rows.map(list.read), looked, end, stop };
}

async function scanRows(
  on: Runner,
  list: List<unknown>,
  { cursor, limit, limits = scanLimits }: ListPage,
): Promise<Scanned> {
  const position = startAfter(cursor);
  if (!list.others?.some(isSet)) {
    const rows = await readPart(on, list, { from: position, limit });
    return { rows, next: afterFull(rows, limit), isCutShort: false, looked: rows.length };
  }
  const began = machine.ticks();
  const rows: Row[] = [];
  let [from, looked] = [position, 0];
  while (looked < limits.maxRows && machine.ticks() - began <= limits.maxMs) {
    const to = await findEnd(on, list, from, limits.rowsPerStep);
    rows.push(...(await readPart(on, list, { from, to, limit: limit - rows.length })));
    looked += limits.rowsPerStep;
    const next = afterFull(rows, limit);
    if (next || !to) return { rows, next, isCutShort: false, looked };
    from = to;
  }
  return { rows, next: from, isCutShort: true, looked };
}

/** Undefined if the page is incomplete. */
function afterFull(rows: readonly Row[], limit: number): ListPosition | undefined {
  const last = rows.at(-1);
  return last && rows.length === limit ? positionOf(last) : undefined;
}

interface Part {
  from: ListPosition | undefined;
  to?: ListPosition | undefined;
  limit: number;
}

function readPart(on: Runner, list: List<unknown>, { from, to, limit }: Part): Promise<Row[]> {
  const downTo = {
    text: '(created_at, id) >= (?, ?) and created_at >= ?',
    values: [to?.created_at, to?.id, to?.created_at],
  };
  const where = whereAll([...list.indexed, ...(list.others ?? []), olderThan(from), downTo]);
  return on.run(
    `select ${list.columns} from ${list.name}${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
}

/** The last of the next rows, ignoring the other filters. Undefined if there are fewer. */
async function findEnd(
  on: Runner,
  { name, indexed }: List<unknown>,
  from: ListPosition | undefined,
  rows: number,
): Promise<ListPosition | undefined> {
  const where = whereAll([...indexed, olderThan(from)]);
  const [end] = await on.run(
    `select created_at, id from ${name}${where.text}
     order by created_at desc, id desc limit 1 offset ${Math.trunc(rows) - 1}`,
    where.values,
  );
  return end && positionOf(end);
}

function isSet({ values }: Filter): boolean {
  return values.every((value) => value !== undefined);
}

/** By the condition on the time alone, PostgreSQL skips partitions that are too new. */
function olderThan(position: ListPosition | undefined): Filter {
  return {
    text: '(created_at, id) < (?, ?) and created_at <= ?',
    values: [position?.created_at, position?.id, position?.created_at],
  };
}

function positionOf(row: Row): ListPosition {
  return { created_at: Number(row['created_at']), id: String(row['id']) };
}
