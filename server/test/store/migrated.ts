// A fresh store with its tables, for one test, removed at the end of its scope.
import { migrate } from '../../src/store/migrate.ts';
import type { Bench, Engine } from './engines.ts';

export async function makeStore(engine: Engine): Promise<Bench & AsyncDisposable> {
  const bench = await engine.open();
  await migrate(bench.database, new Date(0));
  return { ...bench, [Symbol.asyncDispose]: bench.discard };
}
