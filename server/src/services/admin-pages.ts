// Pages of the operator's lists: where one begins, and how to ask for the next.
import type { PageQuery } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { readCursor, writeCursor } from '../domain/cursor.ts';
import type { Ended } from '../domain/cursor.ts';

const day_ms = 86_400_000;

export interface AskedPage {
  place: Ended | undefined;
  limit: number;
}

export function pageOf({ cursor, limit }: PageQuery): AskedPage {
  if (cursor === undefined) return { place: undefined, limit };
  const place = readCursor(cursor);
  if (!place) {
    const message = 'This is not a cursor of ours; take next_cursor of the page before.';
    const issues = [{ path: 'cursor', code: 'invalid_cursor', message }];
    throw new GatewayError('invalid_request', message, { issues });
  }
  return { place, limit };
}

/** A page that is not full is the last one. */
export function nextCursor(rows: readonly Ended[], { limit }: AskedPage): string | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? writeCursor(last) : null;
}

/** Whole days by UTC, the last one included. */
export function spanOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    from: from === undefined ? undefined : Date.parse(from),
    before: to === undefined ? undefined : Date.parse(to) + day_ms,
  };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
