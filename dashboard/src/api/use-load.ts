// Loads data for a page: the data, an error or neither yet, and a function to reload.
import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  data: T | undefined;
  error: Error | undefined;
  /** True during every load; data of the same key stays on the page meanwhile. */
  loading: boolean;
  reload: () => void;
  /** Loads again without a trace: if it fails, the data stays and the caller learns it. */
  refresh: () => Promise<void>;
  /** Replaces the data, if it is still the data of this key. */
  put(data: T): void;
}

/** `key` identifies the data: a new key loads again. With an undefined key nothing is loaded. */
export function useLoad<T>(key: string | undefined, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    let current = true;
    setState((before) => ({ ...before, loading: true }));
    load().then(
      (data) => current && setState({ key, data }),
      (error: unknown) => current && setState({ key, error: asError(error) }),
    );
    return () => {
      current = false;
    };
    // The loader is a new function on every render, so only the key decides about a reload.
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const put = (data: T) => setState((now) => (now.key === key ? { key, data } : now));
  const fresh = state.key === key;
  return {
    put,
    refresh: async () => put(await load()),
    data: fresh ? state.data : undefined,
    error: fresh ? state.error : undefined,
    loading: !fresh || state.loading === true,
    reload,
  };
}

interface State<T> {
  key: string | undefined;
  data?: T;
  error?: Error;
  loading?: boolean;
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
