// The embedded engine without its thread and its disk: a life in a simulation makes hundreds of
// statements, and each must cost next to nothing.
import { Database as Sqlite } from 'bun:sqlite';
import type { Statement } from 'bun:sqlite';
import type { Database, Row, Runner, Value } from '../../src/store/database.ts';

export function openInMemory(): Database {
  const sqlite = new Sqlite(':memory:');
  sqlite.run('pragma foreign_keys = on');
  const statements = new Map<string, Statement>();
  const prepared = (text: string): Statement => {
    const known = statements.get(text) ?? sqlite.prepare(text.replaceAll(/\$(?=\d)/g, '?'));
    statements.set(text, known);
    return known;
  };
  const runner: Runner = {
    run: async <T = Row>(text: string, values: readonly Value[] = []) =>
      prepared(text).all(...values) as T[],
    lock: () => '',
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    engine: 'sqlite',
    lock: runner.lock,
    reader: { lock: runner.lock, run: (text, values) => inTurn(() => runner.run(text, values)) },
    run: (text, values) => inTurn(() => runner.run(text, values)),
    transaction: (work) => inTurn(() => inTransaction(runner, work)),
    perform: ({ work }, input) => inTurn(() => inTransaction(runner, (tx) => work(tx, input))),
    defer: async ({ work }, input) => {
      await inTurn(() => inTransaction(runner, (tx) => work(tx, input)));
    },
    close: () => inTurn(async () => sqlite.close()),
  };
}

async function inTransaction<T>(runner: Runner, work: (tx: Runner) => Promise<T>): Promise<T> {
  await runner.run('begin');
  try {
    const result = await work(runner);
    await runner.run('commit');
    return result;
  } catch (error) {
    await runner.run('rollback');
    throw error;
  }
}
