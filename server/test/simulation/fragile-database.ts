// A database whose process may die at any statement: before it, or after it took effect.
import type { Database, Runner } from '../../src/store/database.ts';

export interface FragileDatabase {
  database: Database;
  isDead: () => boolean;
}

/** `dies` decides for each statement and each commit. */
export function makeFragile(inner: Database, dies: () => boolean): FragileDatabase {
  let dead = false;
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead || dies()) throw die();
    const result = await work();
    if (dead || dies()) throw die();
    return result;
  };
  const die = () => {
    dead = true;
    return new Error('the process died');
  };
  const fragile = (runner: Runner): Runner => ({
    run: (text, values) => guard(() => runner.run(text, values)),
    lock: (words) => runner.lock(words),
  });
  return {
    database: {
      ...inner,
      ...fragile(inner),
      transaction: (work) => guard(() => inner.transaction((tx) => work(fragile(tx)))),
      perform: ({ name, work }, input, durable) =>
        guard(() =>
          inner.perform({ name, work: (tx, given) => work(fragile(tx), given) }, input, durable),
        ),
    },
    isDead: () => dead,
  };
}
