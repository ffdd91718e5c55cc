// A store without rows, for one test; it is returned at the end of the scope.
import type { Engine } from './engines.ts';
import type { TestStore } from './store-pool.ts';

export async function makeStore(engine: Engine): Promise<TestStore & AsyncDisposable> {
  const store = await engine.open('migrated');
  return { ...store, [Symbol.asyncDispose]: store.discard };
}
