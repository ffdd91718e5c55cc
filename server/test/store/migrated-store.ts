// A fresh store with its schema, for one test; it is removed at the end of the scope.
import { migrate } from '../../src/store/migrations/migrate.ts';
import type { TestStore, Engine } from './engines.ts';

export async function makeStore(engine: Engine): Promise<TestStore & AsyncDisposable> {
  const store = await engine.open('migrated');
  await migrate(store.database, new Date(0));
  return { ...store, [Symbol.asyncDispose]: store.discard };
}
