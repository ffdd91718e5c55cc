// One store per engine and test file. A new database costs more than most tests, so the tests of a
// file use the same one in turn, and what each wrote is removed when it returns the store.
import { afterAll } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../src/store/migrations/migrate.ts';
import type { Database, Row, Runner } from '../../src/store/database.ts';

export interface TestStore {
  database: Database;
  /** A second, independent connection to the same data. */
  another: () => Promise<Database>;
  /** The settings by which a gateway uses the same data. */
  settings: Readonly<Record<string, string>>;
  discard: () => Promise<void>;
}

/** Returns a function that takes a store without rows from the pool, or makes one. */
export function makeStorePool(make: () => Promise<TestStore>): () => Promise<TestStore> {
  const idle: Owned[] = [];
  afterAll(() => Promise.all(idle.splice(0).map(({ store }) => store.discard())));
  return async () => {
    const owned = idle.pop() ?? (await own(await make()));
    const { store } = owned;
    const first = borrow(store.database);
    const others: Borrowed[] = [];
    return {
      ...store,
      database: first.database,
      another: async () => {
        const other = borrow(await store.another());
        others.push(other);
        return other.database;
      },
      discard: async () => {
        const isSpoiled = await first.end();
        const areSpoiled = await Promise.all(others.map(({ end }) => end()));
        await Promise.all(others.map(({ database }) => database.close()));
        if (isSpoiled !== 'no' || areSpoiled.includes('schema')) return store.discard();
        await owned.clear();
        idle.push(owned);
      },
    };
  };
}

interface Owned {
  store: TestStore;
  clear: () => Promise<void>;
}

async function own(store: TestStore): Promise<Owned> {
  const { database, settings } = store;
  // Nothing to do in a copy of the template.
  await migrate(database, new Date(0));
  const tables = await database.run<{ name: string }>(
    database.engine === 'sqlite'
      ? `select name from sqlite_master
         where type = 'table' and name not like 'sqlite%' and name not like 'schema%'`
      : `select relname as name from pg_class
         where relkind in ('r', 'p') and not relispartition
           and relnamespace = 'public'::regnamespace and relname not like 'schema%'`,
  );
  const names = tables.map(({ name }) => name);
  const statements = names.map((name) => `delete from ${name}`);
  const rows = await rowsOf(database, names);
  const folder = settings['TRIVIUM_DATA_DIR'];
  return {
    store,
    clear: async () => {
      await database.transaction(async (tx) => {
        // The tables refer to each other.
        if (database.engine === 'sqlite') {
          await tx.run('pragma defer_foreign_keys = on');
          for (const statement of statements) await tx.run(statement);
        } else {
          await tx.run('set local session_replication_role = replica');
          await tx.run(`do $$ begin ${statements.join('; ')}; end $$`);
        }
        for (const { table, row } of rows) await insert(tx, table, row);
      });
      if (folder === undefined) return;
      const others = readdirSync(folder).filter((file) => !file.startsWith('trivium.sqlite'));
      for (const file of others) rmSync(join(folder, file), { recursive: true });
    },
  };
}

/** What the migrations wrote. */
async function rowsOf(on: Runner, tables: string[]): Promise<{ table: string; row: Row }[]> {
  const asked = tables.map(
    (name) => `select '${name}' as name where exists (select 1 from ${name})`,
  );
  const filled = await on.run<{ name: string }>(asked.join(' union all '));
  const found = await Promise.all(
    filled.map(async ({ name }) =>
      (await on.run(`select * from ${name}`)).map((row) => ({ table: name, row })),
    ),
  );
  return found.flat();
}

async function insert(on: Runner, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  await on.run(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row) as (string | number | null)[],
  );
}

interface Borrowed {
  database: Database;
  /** Waits for the statements that still run, and refuses later ones. */
  end: () => Promise<Spoiled>;
}

/** A store is used again unless its connection is closed or its schema may have changed. */
type Spoiled = 'no' | 'closed' | 'schema';

/** A test may leave work behind, which must not reach the rows of the next test. */
function borrow(database: Database): Borrowed {
  const running = new Set<Promise<unknown>>();
  let spoiled: Spoiled = 'no';
  let isOver = false;
  const call = <T>(work: () => Promise<T>): Promise<T> => {
    if (isOver) return Promise.reject(new Error('the test that borrowed this store has ended'));
    const result = work();
    const settled = result.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return result;
  };
  const watch = (runner: Runner): Runner => ({
    ...runner,
    run: (text, values) => {
      if (/^\s*(?:create|alter|drop|pragma|vacuum|update schema_version)\b/i.test(text))
        spoiled = 'schema';
      return runner.run(text, values);
    },
  });
  const { run } = watch(database);
  const { perform, transaction, defer, resume, reader } = database;
  return {
    database: {
      ...database,
      run: (text, values) => call(() => run(text, values)),
      reader: { ...reader, run: (text, values) => call(() => reader.run(text, values)) },
      transaction: (work) => call(() => transaction((tx) => work(watch(tx)))),
      perform: (task, input, durable) => call(() => perform(task, input, durable)),
      ...(defer && { defer: (task, input) => call(() => defer(task, input)) }),
      ...(resume && { resume: () => call(resume) }),
      close: async () => {
        if (spoiled === 'no') spoiled = 'closed';
        isOver = true;
        await database.close();
      },
    },
    end: async () => {
      isOver = true;
      await Promise.all(running);
      return spoiled;
    },
  };
}
