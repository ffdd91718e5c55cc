// Paging of lists: the page that a caller asks for, newest first or in the order of a column, and the
// cursor of the next one.
// Filters that no index serves are applied in steps to a bounded number of rows. A page that stops
// early says where it stopped.
import type { ListEnd, PageQuery } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { type GatewayError, invalidPart } from '@trivium/contract/gateway-error';
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

function writeCursor(parts: readonly unknown[]): string {
  return btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_');
}

/** Empty if the text is not a cursor of this gateway. */
function readCursor(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function startAfter(cursor: string | undefined): ListPosition | undefined {
  return cursor === undefined ? undefined : readPosition(readCursor(cursor));
}

function readPosition([createdAt, id, ...rest]: readonly unknown[]): ListPosition {
  if (!isInteger(createdAt) || typeof id !== 'string' || rest.length > 0) throw invalidCursor();
  if (!/^[\w:-]{1,100}$/.test(id)) throw invalidCursor();
  return { created_at: createdAt, id };
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function invalidCursor(): GatewayError {
  const message = 'The cursor is not valid. Use next_cursor of the previous page.';
  return invalidPart('cursor', 'invalid_cursor', message);
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
  /** The column of whole numbers by which the page is sorted, the largest first. */
  sort?: string | undefined;
}

interface Scanned {
  rows: Row[];
  /** Where the next page begins, and until when rows were read. Undefined at the end of the list. */
  next: { cursor: string; until: number } | undefined;
  /** True if the page is incomplete because the limit of rows to read was reached. */
  isCutShort: boolean;
  /** How many rows were read, or a few more. */
  looked: number;
}

/** The maximum number of rows to read for one page, and when no step begins any more. */
const scanLimits = { rowsPerStep: 5000, maxRows: 50_000, maxMs: 10_000 };

const listEnd: ListEnd = { next_cursor: null, searched_until: null };

export async function scanPage<T>(on: Runner, list: List<T>, page: ListPage) {
  const scan = list.sort === undefined ? scanRows : scanSorted;
  const { rows, next, isCutShort, looked } = await scan(on, list, page);
  // The end of an export that reads no further page. Undefined at the end of the list.
  const stop = next && { next_cursor: next.cursor, searched_until: iso(next.until) };
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
  return { rows, next: beginning(from), isCutShort: true, looked };
}

/**
 * The rows with the largest values among the newest `maxRows`, which are read in steps as well. When
 * all of them were returned, the next page begins with older rows.
 */
async function scanSorted(
  on: Runner,
  list: List<unknown>,
  { cursor, limit, limits = scanLimits }: ListPage,
): Promise<Scanned> {
  const { sort = '' } = list;
  const { start, after } = readSortedCursor(cursor, sort);
  const values = [after?.value, after?.created_at, after?.id];
  const smaller = { text: `(${sort}, created_at, id) < (?, ?, ?)`, values };
  const rest = { ...list, others: [...(list.others ?? []), smaller] };
  let rows: Row[] = [];
  let [from, looked] = [start, 0];
  do {
    const to = await findEnd(on, list, from, limits.rowsPerStep);
    const found = await readPart(on, rest, { from, to, limit });
    rows = [...rows, ...found].toSorted(largestFirst(sort)).slice(0, limit);
    looked += limits.rowsPerStep;
    from = to;
  } while (from && looked < limits.maxRows);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const position = last && positionOf(last);
  const next = position && {
    cursor: writeCursor([...partsOf(start), sort, Number(last[sort]), ...partsOf(position)]),
    until: (from ?? position).created_at,
  };
  return { rows, next: next ?? beginning(from), isCutShort: from !== undefined, looked };
}

/** Where the rows begin that are sorted, and the last row that was returned. */
function readSortedCursor(cursor: string | undefined, sort: string) {
  if (cursor === undefined) return {};
  const parts = readCursor(cursor);
  if (parts.length === 2) return { start: readPosition(parts) };
  const [createdAt, id, column, value, ...position] = parts;
  const start = createdAt === null && id === null ? undefined : readPosition([createdAt, id]);
  if (column !== sort || !isInteger(value)) throw invalidCursor();
  return { start, after: { value, ...readPosition(position) } };
}

function partsOf(position: ListPosition | undefined): readonly unknown[] {
  return [position?.created_at ?? null, position?.id ?? null];
}

/** As the database sorts them. */
function largestFirst(column: string) {
  const by = (name: string) => (one: Row, other: Row) => Number(other[name]) - Number(one[name]);
  return (one: Row, other: Row) =>
    by(column)(one, other) ||
    by('created_at')(one, other) ||
    (String(one['id']) < String(other['id']) ? 1 : -1);
}

/** Undefined if the page is incomplete. */
function afterFull(rows: readonly Row[], limit: number): Scanned['next'] {
  const last = rows.at(-1);
  return last && rows.length === limit ? beginning(positionOf(last)) : undefined;
}

function beginning(position: ListPosition | undefined): Scanned['next'] {
  return position && { cursor: writeCursor(partsOf(position)), until: position.created_at };
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
  const first = list.sort === undefined ? '' : `${list.sort} desc, `;
  return on.run(
    `select ${list.columns} from ${list.name}${where.text}
     order by ${first}created_at desc, id desc limit ${Math.trunc(limit)}`,
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
