// Loads data for a page: the data, an error or neither yet, and a function to reload.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { asError } from './errors.ts';
import { onRecovery } from './recovery.ts';

export interface Loaded<T> {
  data: T | undefined;
  error: Error | undefined;
  /** True during every load; data of the same key stays on the page meanwhile. */
  loading: boolean;
  reload: () => void;
  /** Loads again in the background: if it fails, the data stays and the promise is rejected. */
  refresh: () => Promise<void>;
  /**
   * Loads again and resolves once the new data is shown, so that a form can close. A failure
   * reloads.
   */
  update: () => Promise<void>;
  /** Replaces the data, if it is still the data of this key. */
  put(data: T): void;
}

/** `key` identifies the data: a new key loads again. With an undefined key nothing is loaded. */
export function useLoad<T>(key: string | undefined, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key: undefined });
  const [round, setRound] = useState(0);
  const wanted = useRef(key);
  const started = useRef(0);
  /** Ignores the answer of an earlier load that arrives after the answer of a later one. */
  const startLoad = () => {
    started.current += 1;
    const order = started.current;
    return (found: Found<T>) =>
      setState((now) => {
        const outdated = now.key === key && now.order !== undefined && now.order > order;
        return outdated || wanted.current !== key ? now : { key, order, ...found };
      });
  };
  /** The loader is a new function on every render, so only a new key causes a reload. */
  const begin = useEffectEvent(() => ({ show: startLoad(), loading: load() }));
  useEffect(() => {
    wanted.current = key;
    if (key === undefined) return undefined;
    let current = true;
    const { show, loading } = begin();
    setState((before) => ({ ...before, loading: true }));
    loading.then(
      (data) => current && show({ data }),
      (error: unknown) => current && show({ error: asError(error) }),
    );
    return () => {
      current = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const hasFailed = state.key === key && state.error !== undefined;
  useEffect(() => (hasFailed ? onRecovery(reload) : undefined), [hasFailed, reload]);
  const refresh = async () => {
    const show = startLoad();
    show({ data: await load() });
  };
  const fresh = state.key === key;
  return {
    put: (data) => startLoad()({ data }),
    refresh,
    update: () => refresh().catch(reload),
    data: fresh ? state.data : undefined,
    error: fresh ? state.error : undefined,
    loading: !fresh || state.loading === true,
    reload,
  };
}

interface Found<T> {
  data?: T;
  error?: Error;
}

interface State<T> extends Found<T> {
  key: string | undefined;
  /** Which load the data came from. */
  order?: number;
  loading?: boolean;
}
