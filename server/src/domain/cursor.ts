// Cursors: where a page of a list ended, as one opaque word.

export interface Ended {
  created_at: number;
  id: string;
}

export function writeCursor({ created_at, id }: Ended): string {
  return btoa(JSON.stringify([created_at, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** Undefined for a word that is not one of ours. */
export function readCursor(word: string): Ended | undefined {
  try {
    const parsed: unknown = JSON.parse(atob(word.replaceAll('-', '+').replaceAll('_', '/')));
    if (!Array.isArray(parsed)) return undefined;
    const [created_at, id] = parsed as unknown[];
    if (typeof created_at !== 'number' || typeof id !== 'string') return undefined;
    if (!Number.isSafeInteger(created_at) || !/^[\w-]{1,100}$/.test(id)) return undefined;
    return { created_at, id };
  } catch {
    return undefined;
  }
}
