// The cache of answers: reads answers by age, and fetches a missing one once, however many callers
// of this gateway want it. Gateways that share the store may each fetch the same answer once, so
// that a dead gateway does not block callers of another.
import { audit, type Author } from '../audit/index.ts';
import { type ByteHold, takeRoom, uncountedBytes, waitForRoom } from '../platform/byte-budget.ts';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import {
  countChange,
  type Database,
  makeTrim,
  readChange,
  type TableSize,
} from '../store/index.ts';
import type { CachePart } from './core/report.ts';
import {
  deleteEntries,
  deleteOldestEntries,
  findEntries,
  findValue,
  measureEntries,
  putEntries,
} from './store/entries.ts';
import { makeRecent, type Recent, type RecentEntry } from './recent.ts';

interface CacheLimits {
  max_entries: number;
  max_bytes: number;
}

interface CacheContext {
  database: Database;
  clock: Clock;
  log: Log;
  limits: CacheLimits;
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
  /** How long to wait for an entry that another caller is fetching. */
  waitMs: number;
  /** Throws if a stored text is not an entry of this version. It then counts as missing. */
  read: (text: string) => unknown;
  /** Counts long entries towards the memory limit. */
  room?: ByteHold | undefined;
}

type Looked = Pick<Wanted, 'tool' | 'ids' | 'maxAgeMs' | 'read' | 'room'>;

/** Fetches entries from their provider. An id without a text is not stored. */
type FetchEntries = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface Cache {
  /** Throws a 429 or 503 if there is no room for long entries. */
  find: (wanted: Looked) => Promise<Map<string, CachedValue>>;
  /**
   * Finds entries, waits for those that another caller is fetching, and fetches the rest, including
   * those that the other caller did not fetch in time. Throws what `fetch` throws.
   */
  fill: (wanted: Wanted, fetch: FetchEntries) => Promise<Map<string, CachedValue>>;
  /** Deletes the entries of one account, or all, and records who did it. */
  clear: (by: Author, accountId?: string) => Promise<number>;
  /** Clears memory if another gateway has emptied the cache. */
  refresh: () => Promise<void>;
  size: () => Promise<TableSize>;
}

/** Under this topic, gateways count how often the cache was emptied. */
const topic = 'cache';
/** A longer answer is not stored. */
const maxValueBytes = 4 * 1024 * 1024;

type Running = Map<string, Promise<string | undefined>>;

export function makeCache(context: CacheContext): Cache {
  const { database } = context;
  const running: Running = new Map();
  const trim = makeTrim({
    ...context,
    what: 'the cache',
    // Entries cost their account something, so all of them are trimmed together.
    measure: async (on) => [{ account_id: '', ...(await measureEntries(on)) }],
    deleteFirst: (on, _all, rows) => deleteOldestEntries(on, rows),
  });
  const recent = makeRecent(context.limits.max_entries);
  const isReadable = makeCheck(context.log);
  let seenClears = 0;
  return {
    find: (wanted) => findFresh({ ...context, recent, isReadable }, wanted, takeRoom),
    fill: async (wanted, fetch) => {
      const joined = wanted.ids.flatMap((id) => {
        const value = running.get(id);
        return value ? [{ id, value }] : [];
      });
      const own = wanted.ids.filter((id) => !running.has(id));
      const lead = { ...context, running, recent, isReadable, trim };
      const giveUpAt = context.clock.ticks() + wanted.waitMs;
      const { values, tried } = await fetchOwn(lead, { ...wanted, ids: own }, fetch);
      for (const { id, value } of joined) {
        const text = await valueInTime(value, giveUpAt - context.clock.ticks());
        if (text === undefined) continue;
        await waitForRoom(wanted.room, text.length);
        values.set(id, { text, from: 'joined', ageMs: 0 });
      }
      // Entries that another caller failed to fetch are fetched for this caller only.
      const rest = wanted.ids.filter((id) => !values.has(id) && !tried.has(id));
      if (rest.length === 0) return values;
      for (const [id, text] of await fetch(rest)) {
        values.set(id, { text, from: 'miss', ageMs: 0 });
      }
      return values;
    },
    clear: async (by, accountId) => {
      const deleted = await database.transaction(async (tx) => {
        await countChange(tx, topic);
        const entries = await deleteEntries(tx, accountId);
        const change = { action: 'cache.cleared', target: 'cache' } as const;
        const scoped = { ...change, account_id: accountId ?? null, after: { entries } };
        await audit(tx, by, scoped, context.clock.now().getTime());
        return entries;
      });
      recent.clear();
      return deleted;
    },
    refresh: async () => {
      const clears = await readChange(database, topic);
      if (clears !== seenClears) recent.clear();
      seenClears = clears;
    },
    size: () => measureEntries(database.reader),
  };
}

/** Also undefined if it takes longer. */
function valueInTime<T>(value: Promise<T>, limitMs: number): Promise<T | undefined> {
  const late = () => new Error('another caller is fetching it and takes too long');
  return withTimeLimit(value, Math.max(0, limitMs), late).catch(() => undefined);
}

/** True if a stored text is an entry of this version. */
type IsReadable = (id: string, text: string, wanted: Pick<Wanted, 'tool' | 'read'>) => boolean;

/** After an upgrade many entries may be unreadable, so only the first is logged. */
function makeCheck(log: Log): IsReadable {
  let isLogged = false;
  return (id, text, { tool, read }) => {
    try {
      read(text);
      return true;
    } catch (error) {
      if (!isLogged)
        log.warn(
          { err: error, tool, entry: id },
          'an entry of the cache cannot be read; it and all others like it are fetched again',
        );
      isLogged = true;
      return false;
    }
  };
}

interface FindContext extends Pick<CacheContext, 'database' | 'clock'> {
  recent: Recent;
  isReadable: IsReadable;
}

/** A long entry is read only if there is room for it. */
async function findFresh(
  { database, clock, recent, isReadable }: FindContext,
  wanted: Looked,
  admit: (room: ByteHold | undefined, bytes: number) => void | Promise<void>,
): Promise<Map<string, CachedValue>> {
  const { ids, maxAgeMs, room } = wanted;
  const now = clock.now().getTime();
  const values = new Map<string, CachedValue>();
  const found = (id: string, entry: RecentEntry) => {
    const ageMs = Math.max(0, now - entry.stored_at);
    values.set(id, { text: entry.text, from: 'hit', ageMs, entry });
  };
  let bytes = 0;
  for (const id of ids) {
    const entry = recent.get(id);
    if (!entry || entry.stored_at < now - maxAgeMs) continue;
    bytes += entry.text.length;
    found(id, entry);
  }
  const missing = ids.filter((id) => !values.has(id));
  const from = now - maxAgeMs;
  const rows =
    missing.length === 0 ? [] : await findEntries(database, missing, from, uncountedBytes);
  for (const row of rows) bytes += row.bytes;
  await admit(room, bytes);
  for (const { id, value, stored_at } of rows) {
    const text = value ?? (await findValue(database, id));
    // Entries in memory were read before, or written by this process.
    if (text === undefined || !isReadable(id, text, wanted)) continue;
    found(id, recent.put(id, { text, stored_at }));
  }
  return values;
}

interface FillContext extends CacheContext {
  running: Running;
  recent: Recent;
  isReadable: IsReadable;
  trim: (entries: number, bytes: number) => void;
}

interface Filled {
  values: Map<string, CachedValue>;
  /** The ids that this call tried to fetch, with or without success. */
  tried: ReadonlySet<string>;
}

/** Other callers of this gateway that want the same ids wait for the result. */
async function fetchOwn(
  context: FillContext,
  wanted: Wanted,
  fetch: FetchEntries,
): Promise<Filled> {
  if (wanted.ids.length === 0) return { values: new Map(), tried: new Set() };
  const { running } = context;
  const waiting = new Map(
    wanted.ids.map((id) => [id, Promise.withResolvers<string | undefined>()]),
  );
  for (const [id, { promise }] of waiting) running.set(id, promise);
  const publish = (id: string, text: string) => waiting.get(id)?.resolve(text);
  try {
    return await fetchMissing(context, wanted, fetch, publish);
  } finally {
    for (const [id, { resolve }] of waiting) {
      resolve(undefined);
      running.delete(id);
    }
  }
}

async function fetchMissing(
  context: FillContext,
  wanted: Wanted,
  fetch: FetchEntries,
  publish: (id: string, text: string) => void,
): Promise<Filled> {
  const values = await findFresh(context, wanted, waitForRoom);
  for (const [id, { text }] of values) publish(id, text);
  const tried = new Set(wanted.ids.filter((id) => !values.has(id)));
  const texts = tried.size === 0 ? new Map<string, string>() : await fetch([...tried]);
  for (const [id, text] of texts) {
    publish(id, text);
    values.set(id, { text, from: 'miss', ageMs: 0 });
  }
  await store(context, wanted, texts);
  return { values, tried };
}

/** If an answer cannot be stored, it is still served. */
async function store(
  { database, clock, log, recent, trim }: FillContext,
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
    trim(
      entries.length,
      entries.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  } catch (error) {
    log.warn({ err: error }, 'an answer could not be cached');
  }
}
