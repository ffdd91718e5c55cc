// Loads something for a page: data, trouble or neither yet, and a way to load it again.
import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  data: T | undefined;
  error: Error | undefined;
  /** True while it loads for the first time or anew; old data stays on the page meanwhile. */
  loading: boolean;
  reload: () => void;
}

/** `key` names what is loaded: a new key loads anew. An undefined key waits. */
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
    // The loader is a new function on every render; the key says whether it means something else.
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const fresh = state.key === key;
  return {
    data: state.data,
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
