// Data of the gateway: loaded once for everything that shows it, kept for a while for the next
// page, and loaded again after a change.
import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { asError } from './errors.ts';

export interface Loaded<T> {
  /** Stays on the page while it is loaded again, and if that fails. */
  data: T | undefined;
  error: Error | undefined;
  /** True during every load. */
  loading: boolean;
  reload: () => void;
  /** Loads again, and resolves when the result is shown: to true if the load succeeded. */
  refresh: () => Promise<boolean>;
  /** Replaces the data. */
  put(data: T): void;
}

/** The kind of data, which changes refer to, and what was asked for. */
type DataKey = readonly [kind: string, ...asked: unknown[]];

interface State {
  data?: unknown;
  error?: Error | undefined;
  loading: boolean;
}

interface Entry {
  kind: string;
  state: State;
  load: () => Promise<unknown>;
  /** What shows it. */
  listeners: Set<() => void>;
  /** Counts loads: the answer of an earlier one that arrives after a later one is ignored. */
  started: number;
  shown: number;
  /** When the latest load began; 0 if something may have changed since. */
  at: number;
}

/** Data of this age is shown on the next page without another request. */
const freshMs = 10_000;
/** Data that is not on the page is forgotten after this time. */
const keptMs = 300_000;
const initial: State = { loading: true };
const entries = new Map<string, Entry>();
const observers = new Set<() => void>();
let owner: string | undefined;
let changes: Promise<unknown> = Promise.resolve();

/** Loads the data if it is not known. With an undefined key nothing is loaded. */
export function useLoad<T>(key: DataKey | undefined, load: () => Promise<T>): Loaded<T> {
  const id = key && JSON.stringify(key);
  const begin = useEffectEvent((entry: Entry) => {
    // The loader is a new function on every render, but depends only on the key.
    entry.load = load;
    const isFresh = entry.state.error === undefined && Date.now() - entry.at < freshMs;
    const isLoading = entry.state.loading && entry.started > 0 && entry.at > 0;
    if (!isFresh && !isLoading) void loadEntry(entry);
  });
  const subscribe = useCallback((listener: () => void) => watch(id, listener), [id]);
  const state = useSyncExternalStore(subscribe, () => entries.get(id ?? '')?.state ?? initial);
  useEffect(() => {
    if (id !== undefined) begin(entryOf(id));
  }, [id]);
  const refresh = useCallback(() => loadEntry(entryOf(id ?? '')), [id]);
  return {
    data: state.data as T | undefined,
    error: state.error,
    loading: state.loading,
    refresh,
    reload: useCallback(() => void refresh(), [refresh]),
    put: (data) => {
      const entry = entryOf(id ?? '');
      entry.started += 1;
      show(entry, entry.started, { data });
    },
  };
}

function entryOf(id: string): Entry {
  const known = entries.get(id);
  if (known) return known;
  const [kind] = JSON.parse(id) as [string];
  const load = () => Promise.resolve();
  const made = { kind, state: initial, load, listeners: new Set([]), started: 0, shown: 0, at: 0 };
  entries.set(id, made);
  return made;
}

function watch(id: string | undefined, listener: () => void): () => void {
  if (id === undefined) return () => undefined;
  const entry = entryOf(id);
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    setTimeout(() => {
      if (entry.listeners.size === 0 && entries.get(id) === entry) entries.delete(id);
    }, keptMs);
  };
}

function loadEntry(entry: Entry): Promise<boolean> {
  entry.started += 1;
  entry.at = Date.now();
  const order = entry.started;
  setState(entry, { ...entry.state, loading: true });
  return entry.load().then(
    (data) => show(entry, order, { data }),
    (error: unknown) => show(entry, order, { data: entry.state.data, error: asError(error) }),
  );
}

function show(entry: Entry, order: number, found: Omit<State, 'loading'>): boolean {
  if (order > entry.shown) {
    entry.shown = order;
    setState(entry, { ...found, loading: order < entry.started });
  }
  return found.error === undefined;
}

function setState(entry: Entry, state: State): void {
  entry.state = state;
  for (const listener of [...entry.listeners, ...observers]) listener();
}

function onPage(): Entry[] {
  return [...entries.values()].filter(({ listeners }) => listeners.size > 0);
}

/** What a request changes, by the part of its path that names what was sent or changed. */
const affected: Readonly<Record<string, readonly string[] | undefined>> = {
  accounts: ['accounts', 'transfers', 'session'],
  keys: ['keys'],
  budgets: ['budgets'],
  views: ['views'],
  notes: ['requests'],
  people: ['people', 'session'],
  invites: ['people'],
  webhooks: ['webhooks', 'deliveries'],
  incidents: ['incidents'],
  check: ['providers'],
  profile: ['profile', 'session'],
  search: ['accounts'],
  extract: ['accounts'],
  transcriptions: ['accounts'],
};

/**
 * A request that changes something has ended; if its response was lost, it may have changed
 * something too. What it affects is loaded again where it is shown; the rest, when it is next shown.
 */
export function reportChange(path: string): void {
  const name = path.split('/').findLast((part) => Object.hasOwn(affected, part)) ?? '';
  const kinds = affected[name] ?? [];
  expireData();
  const shown = onPage().filter(({ kind }) => kinds.includes(kind));
  changes = Promise.all([changes, ...shown.map(loadEntry)]);
}

/** Resolves when what has been changed is shown, so that a form can close. */
export function changesShown(): Promise<unknown> {
  return changes;
}

/** Something has happened in the account: no data is reused on the next page. */
export function expireData(): void {
  for (const entry of entries.values()) entry.at = 0;
}

/** The gateway answers again, after an outage or a new sign-in. */
export function retryFailed(): void {
  for (const entry of onPage()) if (entry.state.error) void loadEntry(entry);
}

/** Deletes the data that was loaded for another person. */
export function keepDataFor(personId: string): void {
  if (owner === personId) return;
  owner = personId;
  for (const [id, { kind }] of entries) if (kind !== 'session') entries.delete(id);
}

/** Whether everything on the page is loaded and up to date. */
export function usePageState(): 'current' | 'failing' | 'loading' {
  return useSyncExternalStore(observe, pageState);
}

function observe(observer: () => void): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

function pageState(): 'current' | 'failing' | 'loading' {
  const states = onPage().map(({ state }) => state);
  if (states.some(({ error }) => error !== undefined)) return 'failing';
  return states.some(({ data }) => data === undefined) ? 'loading' : 'current';
}
