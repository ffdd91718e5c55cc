// Cursors: the position at which a page of a list ended, as one opaque string.
import type { ListPosition } from './filters.ts';

export function writeCursor({ created_at, id }: ListPosition): string {
  return btoa(JSON.stringify([created_at, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** Undefined for a text that is not a cursor of this gateway. */
export function readCursor(text: string): ListPosition | undefined {
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
