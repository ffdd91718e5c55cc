// A value that everything called from one function can read, even after an await. For code that a
// library calls back without passing our arguments on.
import { AsyncLocalStorage } from 'node:async_hooks';

interface AsyncScope<T> {
  run: <R>(value: T, work: () => R) => R;
  /** Undefined outside `run`. */
  current: () => T | undefined;
}

export function makeAsyncScope<T>(): AsyncScope<T> {
  const storage = new AsyncLocalStorage<T>();
  return { run: (value, work) => storage.run(value, work), current: () => storage.getStore() };
}
