// A page that is loaded on demand, or ahead of time.
import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';

export type LazyPage<P = object> = LazyExoticComponent<ComponentType<P>> & {
  preload: () => Promise<unknown>;
};

/** React's lazy needs a default export; ours are named. */
export function lazyPage<P = object>(load: () => Promise<ComponentType<P>>): LazyPage<P> {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const loadOnce = () => {
    loading ??= load().then((component) => ({ default: component }));
    // The next call tries again after a failure.
    loading.catch(() => (loading = undefined));
    return loading;
  };
  return Object.assign(lazy(loadOnce), { preload: loadOnce });
}
