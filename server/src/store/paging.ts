// Paging of lists: reads the page that a caller asks for, and writes the cursor of the next one.
import { dayMs } from '@trivium/contract/durations';
import type { ListEnd, PageQuery } from '@trivium/contract';
import { GatewayError } from '@trivium/contract/gateway-error';
import type { ListPage, ListPosition } from './filters.ts';
import type { Scanned } from './scan.ts';

export function readPage({ cursor, limit }: PageQuery): ListPage {
  if (cursor === undefined) return { position: undefined, limit };
  const position = readCursor(cursor);
  if (!position) {
    const message = 'The cursor is not valid. Use next_cursor of the previous page.';
    const issues = [{ path: 'cursor', code: 'invalid_cursor', message }];
    throw new GatewayError('invalid_request', message, { issues });
  }
  return { position, limit };
}

/** Where a page of a list ended, and whether it stopped early. */
export function pageEnd({
  next,
  isCutShort,
}: Pick<Scanned<unknown>, 'next' | 'isCutShort'>): ListEnd {
  return {
    next_cursor: next ? writeCursor(next) : null,
    searched_until: next && isCutShort ? iso(next.created_at) : null,
  };
}

/** An incomplete page is the last one. */
export function nextCursor(rows: readonly ListPosition[], { limit }: ListPage): string | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? writeCursor(last) : null;
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

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

function writeCursor({ created_at, id }: ListPosition): string {
  return btoa(JSON.stringify([created_at, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
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
