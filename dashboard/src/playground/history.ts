// The requests that a person sent from the playground, kept in this browser only, per person and
// account, newest first.
import type { ToolName } from '@trivium/contract';
import type { ToolState } from './share.ts';

export interface HistoryEntry {
  at: string;
  tool: ToolName;
  state: ToolState;
  /** What was charged; null when the request failed or is still a job. */
  cost_usd: number | null;
  /** What went wrong, in short. */
  error: string | null;
}

const maxEntries = 50;
const maxChars = 20_000;
const maxErrorChars = 200;

interface HistoryStore {
  read: () => HistoryEntry[];
  add: (entry: HistoryEntry) => HistoryEntry[];
  clear: () => void;
}

export function openHistory(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  personId: string,
  accountId: string,
): HistoryStore {
  const name = `trivium-history ${personId} ${accountId}`;
  const read = () => readEntries(() => storage.getItem(name));
  return {
    read,
    add: (entry) => {
      const entries = withEntry(read(), entry);
      try {
        storage.setItem(name, JSON.stringify(entries));
      } catch {
        // If the browser's storage is full, the history lasts as long as the page.
      }
      return entries;
    },
    clear: () => storage.removeItem(name),
  };
}

/** A repeated request replaces the earlier one. */
function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  if (JSON.stringify(entry.state).length > maxChars) return [...entries];
  const short = { ...entry, error: entry.error?.slice(0, maxErrorChars) ?? null };
  const same = (one: HistoryEntry) =>
    one.tool === entry.tool && JSON.stringify(one.state) === JSON.stringify(entry.state);
  return [short, ...entries.filter((one) => !same(one))].slice(0, maxEntries);
}

function readEntries(stored: () => string | null): HistoryEntry[] {
  try {
    const entries: unknown = JSON.parse(stored() ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry).slice(0, maxEntries) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  const { at, tool, state } = (value ?? {}) as Partial<HistoryEntry>;
  const { filled, provider, way, panel } = (state ?? {}) as Partial<ToolState>;
  return (
    typeof at === 'string' &&
    typeof tool === 'string' &&
    typeof provider === 'string' &&
    typeof way === 'string' &&
    typeof filled === 'object' &&
    Array.isArray(panel)
  );
}

/** The main field of the request, in one line. */
export function titleOf({ tool, state }: Pick<HistoryEntry, 'tool' | 'state'>): string {
  const main = { search: 'query', extract: 'urls', transcription: 'audio_url' }[tool];
  const text = state.filled[main] ?? '';
  return text.trim().replace(/\s+/g, ' ') || 'Nothing entered';
}
