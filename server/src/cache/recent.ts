// Keeps recently read or written entries in memory, so that a hit needs no statement.

export interface RecentEntry {
  text: string;
  stored_at: number;
  /** What a reader derived from the text, so that the next reader need not. */
  memo?: unknown;
}

export interface Recent {
  get: (id: string) => RecentEntry | undefined;
  put: (id: string, entry: RecentEntry) => RecentEntry;
  clear: () => void;
}

const entryLimit = 1000;
/** In characters. A memo is about as long as its text. */
const maxChars = 16 * 1024 * 1024;

export function makeRecent(storeLimit: number): Recent {
  const maxEntries = Math.min(entryLimit, storeLimit);
  // In the order of their last use.
  const entries = new Map<string, RecentEntry>();
  let chars = 0;
  const remove = (id: string) => {
    const entry = entries.get(id);
    if (!entry) return;
    chars -= entry.text.length;
    entries.delete(id);
  };
  return {
    get: (id) => {
      const entry = entries.get(id);
      if (!entry) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    put: (id, entry) => {
      remove(id);
      if (entry.text.length > maxChars / 10) return entry;
      entries.set(id, entry);
      chars += entry.text.length;
      for (const [oldest] of entries) {
        if (entries.size <= maxEntries && chars <= maxChars) break;
        remove(oldest);
      }
      return entry;
    },
    clear: () => {
      entries.clear();
      chars = 0;
    },
  };
}
