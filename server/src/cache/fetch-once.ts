// Reads entries by age, and fetches a missing one once, however many callers of this gateway want
// it. Gateways that share the store may each fetch the same answer once, so that a dead gateway
// does not block callers of another.
import { type ByteHold, takeRoom, uncountedBytes, waitForRoom } from '../platform/byte-budget.ts';
import { gaugeLimit } from '../platform/limit-gauges.ts';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import { type Database, makeTrim } from '../store/index.ts';
import { findEntries, findValue, putEntries } from './store/entries.ts';

export interface CacheContext {
  database: Database;
  clock: Clock;
  log: Log;
  metrics?: Pick<ServiceMetrics, 'cached'>;
  settings: Pick<Settings, 'cache_joined' | 'cache_max_entries' | 'cache_max_mb'>;
}

/** The entries of this gateway in memory, and those that it is fetching. */
export interface CacheState extends Pick<CacheContext, 'database' | 'clock' | 'log'> {
  running: Map<string, Promise<string | undefined>>;
  recent: ReturnType<typeof makeRecent>;
  trim: ReturnType<typeof makeTrim>;
  /** Set once an unreadable entry was logged. After an upgrade there may be many. */
  isUnreadableLogged: boolean;
}

export function makeCacheState(context: CacheContext): CacheState {
  const { cache_max_entries, cache_max_mb } = context.settings;
  const limits = { max_entries: cache_max_entries, max_bytes: cache_max_mb * 1024 * 1024 };
  const trim = makeTrim({
    ...context,
    limits,
    what: 'the cache',
    // Entries cost their account something, so all of them are trimmed together.
    table: 'cache_entries',
    key: 'id',
    order: 'stored_at, id',
  });
  const recent = makeRecent(cache_max_entries);
  return { ...context, running: new Map(), recent, trim, isUnreadableLogged: false };
}

/** Where one part of an answer came from: a search, a member of a panel, or a page. */
export interface CachePart {
  from: 'hit' | 'joined' | 'miss';
  /** The age of a cached answer. */
  ageMs: number;
}

export interface CachedValue extends CachePart {
  text: string;
  /** The entry in memory, where a reader may keep what it derived from the text. */
  entry?: RecentEntry;
}

/** What is wanted from the cache: entries of one account and one tool. */
interface Wanted {
  account_id: string;
  tool: 'search' | 'extract';
  ids: readonly string[];
  maxAgeMs: number;
  /** Throws if a stored text is not an entry of this version. It then counts as missing. */
  read: (text: string) => unknown;
  /** Counts long entries towards the memory limit. */
  room?: ByteHold | undefined;
}

/** Fetches entries from their provider. An id without a text is not stored. */
export type FetchEntries = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A longer answer is not stored. */
const maxValueBytes = 4 * 1024 * 1024;

/** A long entry is read only if there is room for it: by default, throws a 429 or 503 if not. */
export async function findFresh(
  state: CacheState,
  wanted: Wanted,
  admit: (room: ByteHold | undefined, bytes: number) => void | Promise<void> = takeRoom,
): Promise<Map<string, CachedValue>> {
  const { database, clock, recent } = state;
  const { ids, maxAgeMs, room } = wanted;
  const now = clock.now().getTime();
  const from = now - maxAgeMs;
  const values = new Map<string, CachedValue>();
  const found = (id: string, entry: RecentEntry) => {
    const ageMs = Math.max(0, now - entry.stored_at);
    values.set(id, { text: entry.text, from: 'hit', ageMs, entry });
  };
  let bytes = 0;
  for (const id of ids) {
    const entry = recent.get(id);
    if (!entry || entry.stored_at < from) continue;
    bytes += entry.text.length;
    found(id, entry);
  }
  const missing = ids.filter((id) => !values.has(id));
  const clears = recent.clears();
  const rows =
    missing.length === 0 ? [] : await findEntries(database, missing, from, uncountedBytes);
  for (const row of rows) bytes += row.bytes;
  await admit(room, bytes);
  for (const { id, value, stored_at } of rows) {
    const text = value ?? (await findValue(database, id));
    // Entries in memory were read before, or written by this process.
    if (text === undefined || !isReadable(state, id, text, wanted)) continue;
    // The cache may have been emptied since the row was read.
    const isStored = recent.clears() === clears;
    found(id, isStored ? recent.put(id, { text, stored_at }) : { text, stored_at });
  }
  return values;
}

/** True if a stored text is an entry of this version. */
function isReadable(state: CacheState, id: string, text: string, { tool, read }: Wanted): boolean {
  try {
    read(text);
    return true;
  } catch (error) {
    if (!state.isUnreadableLogged)
      state.log.warn(
        { err: error, tool, entry: id },
        'an entry of the cache cannot be read; it and all others like it are fetched again',
      );
    state.isUnreadableLogged = true;
    return false;
  }
}

/**
 * Finds entries, waits for those that another caller is fetching, and fetches the rest, including
 * those that the other caller did not fetch in time. Throws what `fetch` throws.
 */
export async function fillEntries(
  state: CacheState,
  wanted: Wanted,
  waitMs: number,
  fetch: FetchEntries,
): Promise<Map<string, CachedValue>> {
  const { clock, running } = state;
  const joined = wanted.ids.flatMap((id) => {
    const value = running.get(id);
    return value ? [{ id, value }] : [];
  });
  const ids = wanted.ids.filter((id) => !running.has(id));
  const giveUpAt = clock.ticks() + waitMs;
  const { values, tried } = await fetchOwn(state, { ...wanted, ids }, fetch);
  for (const { id, value } of joined) {
    const text = await valueInTime(value, giveUpAt - clock.ticks());
    if (text === undefined) continue;
    await waitForRoom(wanted.room, text.length);
    values.set(id, { text, from: 'joined', ageMs: 0 });
  }
  // Entries that another caller failed to fetch are fetched for this caller only.
  const rest = wanted.ids.filter((id) => !values.has(id) && !tried.has(id));
  if (rest.length === 0) return values;
  for (const [id, text] of await fetch(rest)) values.set(id, { text, from: 'miss', ageMs: 0 });
  return values;
}

/** Also undefined if it takes longer. */
function valueInTime<T>(value: Promise<T>, limitMs: number): Promise<T | undefined> {
  const late = () => new Error('another caller is fetching it and takes too long');
  return withTimeLimit(value, Math.max(0, limitMs), late).catch(() => undefined);
}

/**
 * Other callers of this gateway that want the same ids wait for the result. `tried` are the ids that
 * this call tried to fetch, with or without success.
 */
async function fetchOwn(state: CacheState, wanted: Wanted, fetch: FetchEntries) {
  const { ids } = wanted;
  if (ids.length === 0) return { values: new Map<string, CachedValue>(), tried: new Set<string>() };
  const waiting = new Map(ids.map((id) => [id, Promise.withResolvers<string | undefined>()]));
  for (const [id, { promise }] of waiting) state.running.set(id, promise);
  try {
    const values = await findFresh(state, wanted, waitForRoom);
    for (const [id, { text }] of values) waiting.get(id)?.resolve(text);
    const tried = new Set(ids.filter((id) => !values.has(id)));
    const texts = tried.size === 0 ? new Map<string, string>() : await fetch([...tried]);
    for (const [id, text] of texts) {
      waiting.get(id)?.resolve(text);
      values.set(id, { text, from: 'miss', ageMs: 0 });
    }
    await store(state, wanted, texts);
    return { values, tried };
  } finally {
    for (const [id, { resolve }] of waiting) {
      resolve(undefined);
      state.running.delete(id);
    }
  }
}

/** If an answer cannot be stored, it is still served. */
async function store(
  { database, clock, log, recent, trim }: CacheState,
  { account_id, tool }: Wanted,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const storedAt = clock.now().getTime();
  const entries = [...texts]
    .map(([id, value]) => ({ id, account_id, tool, value, stored_at: storedAt }))
    .map((entry) => ({ ...entry, bytes: Buffer.byteLength(entry.value) }))
    .filter(({ bytes }) => bytes <= maxValueBytes);
  if (entries.length === 0) return;
  try {
    await putEntries(database, entries);
    for (const { id, value } of entries) recent.put(id, { text: value, stored_at: storedAt });
    trim.add(entries);
  } catch (error) {
    log.warn({ err: error }, 'an answer could not be cached');
  }
}

interface RecentEntry {
  text: string;
  stored_at: number;
  /** What a reader derived from the text, so that the next reader need not. */
  memo?: unknown;
}

const entryLimit = 1000;
/** In characters. A memo is about as long as its text. */
const maxChars = 16 * 1024 * 1024;

/** Recently read or written entries, so that a hit needs no statement. */
function makeRecent(storeLimit: number) {
  const maxEntries = Math.min(entryLimit, storeLimit);
  // In the order of their last use.
  const entries = new Map<string, RecentEntry>();
  let chars = 0;
  let clears = 0;
  const remove = (id: string) => {
    chars -= entries.get(id)?.text.length ?? 0;
    entries.delete(id);
  };
  gaugeLimit('cached_in_memory', () => ({ entries: entries.size }));
  return {
    get: (id: string) => {
      const entry = entries.get(id);
      if (!entry) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    put: (id: string, entry: RecentEntry) => {
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
      clears += 1;
    },
    /** How often it was emptied. */
    clears: () => clears,
  };
}
