// A migration only adds, so that an older and a newer version can use one database.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { facts } from '../../src/store/facts.ts';
import { migrate, openSchema } from '../../src/store/migrations/migrate.ts';
import { partsOf, statementsOf } from '../../src/store/migrations/migration-steps.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import type { Database } from '../../src/store/database.ts';
import released from '../../../e2e/released-store/store-0.2.0.json' with { type: 'json' };
import { engines, postgresEngine, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const source = join(import.meta.dir, '..', '..', 'src');
const now = new Date('2026-11-15T12:00:00Z');

/** Statements that could break a gateway of the previous version. */
function faultsOf(text: string): string[] {
  const statements = statementsOf(text);
  const made = statements.flatMap((one) => /^create table (\w+)/.exec(one)?.[1] ?? []);
  const isNew = (table = '') => made.includes(table);
  return statements.filter((one) => {
    if (/^create table \w+ \(/.test(one) || /^create index \w+ on /.test(one)) return false;
    // Without an index a statement is only slower.
    if (/^drop index \w+$/.test(one)) return false;
    const unique = /^create unique index \w+ on (\w+)/.exec(one);
    if (unique) return !isNew(unique[1]);
    const filled = /^insert into (\w+)/.exec(one);
    if (filled) return !isNew(filled[1]);
    const column = /^alter table \w+ add column \w+ \w+(.*)$/s.exec(one)?.[1]?.trim();
    // A check rejects only what no version may write.
    return (
      column !== '' && !/^not null default \S+(\s+check \(.*\))?$/s.test(column ?? 'no column')
    );
  });
}

interface Exception {
  statement: RegExp;
  /** Why it does not disturb a running gateway of an older version. */
  reason: string;
}

/** Statements that change rows or do more than add, with the reason why they may. */
const exceptions: Readonly<Record<number, Exception>> = {
  41: {
    statement: /^create view usage_hours as\b/,
    reason: 'The schema of 0.2.0 has it, for versions before that.',
  },
};

describe('a migration', () => {
  test.each(migrations.map(({ version, text }) => [version, text] as const))(
    'only adds to the schema: number %d',
    (version, text) => {
      const faults = faultsOf(text).filter((one) => !exceptions[version]?.statement.test(one));
      expect(faults).toEqual([]);
    },
  );

  test.each([
    'drop table jobs',
    'alter table jobs drop column model',
    'alter table jobs rename column model to name',
    'alter table jobs alter column model drop not null',
    'alter table jobs add column size bigint not null',
    'alter table jobs add column size bigint unique',
    'create unique index one_name on accounts (name)',
    'update jobs set model = null',
    "update idempotency set key = key || 'x'",
    'delete from jobs',
    'delete from idempotency where key is null',
    "insert into accounts (id, name, created_at) values ('a', 'b', 0)",
  ])('that does %j is not allowed', (statement) => {
    expect(faultsOf(`${statement};\n`)).toEqual([statement]);
  });

  test('has its own file and number, and numbers only rise', () => {
    const files = readdirSync(join(source, 'store', 'migrations')).filter((name) =>
      /^\d{4}-/.test(name),
    );
    expect(files.map((name) => Number(name.slice(0, 4))).toSorted((one, two) => one - two)).toEqual(
      migrations.map(({ version }) => version),
    );
  });
});

test('a new store begins with the schema that 0.2.0 left in the store of a running gateway', async () => {
  const store = await sqliteEngine.open();
  try {
    const base = migrations.filter(({ version }) => version === 41);
    await migrate(store.database, now, base);
    const statements = await store.database.run<{ sql: string }>(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%'",
    );
    const ofBase = statements.map(({ sql }) => withoutLayout(sql));
    expect(ofBase.toSorted()).toEqual(released.schema.map(withoutLayout).toSorted());
  } finally {
    await store.discard();
  }
});

/** SQLite stores statements as they were written, and adds columns behind the last one. */
function withoutLayout(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1');
}

test('no statement selects all columns', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const careless = files.filter((name) =>
    /(?:select|returning|\w\.)\s*\*\s*(?:,|from\b|`|')/.test(
      readFileSync(join(source, name), 'utf8'),
    ),
  );
  expect(careless).toEqual([]);
});

for (const engine of engines) {
  describe(`the schema on ${engine.name}`, () => {
    const ahead = { version: 9000, text: 'alter table accounts add column ahead text;\n' };

    test('of a newer version is not changed by an older one', async () => {
      await using store = await makeStore(engine);
      expect(await migrate(store.database, now, [...migrations, ahead])).toBe(1);
      expect(await migrate(store.database, now)).toBe(0);
      await store.database.run('select ahead from accounts');
    });

    const openAt = async (database: Database, version: number, oldest: number | null) => {
      await database.run('update schema_version set version = $1', [version]);
      await database.run("delete from store_facts where name = 'oldest_schema'");
      if (oldest !== null) await facts.put(database, 'oldest_schema', String(oldest));
      return openSchema(database, now, 'The store').then(() => 'open', String);
    };

    test('is opened only if its version was proven together with this one', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const own = migrations.at(-1)?.version ?? 0;
      for (const oldest of [41, own]) expect(await openAt(database, own + 1, oldest)).toBe('open');
      for (const oldest of [own + 1, null]) {
        expect(await openAt(database, own + 1, oldest)).toContain('newer version of Trivium');
      }
      for (const version of [1, 11, 40]) {
        expect(await openAt(database, version, null)).toContain('run Trivium 0.2.0 on it');
      }
    });

    test('is migrated completely after a migration that failed half-way', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const text = `${ahead.text}alter table missing add column ahead text;\n`;
      const steps = [...migrations, { version: 9000, text }];
      const failing = migrate(database, now, steps);
      expect(await failing.then(String, (error: unknown) => String(error))).toContain('missing');
      await database.run('create table missing (id bigint)');
      expect(await migrate(database, now, steps)).toBe(1);
      await database.run('select accounts.ahead, missing.ahead from accounts, missing');
    });
  });
}

test('on PostgreSQL no part of a migration locks two tables that payments use', () => {
  const parts = partsOf(`
    create table new (id text);
    create index by_id on new (id);
    insert into new (id) values ('a');
    alter table jobs add column a text;
    alter table transfers add column b bigint not null default 1
      check (b in (1, 2));
    create index by_a on jobs (a);
    drop index by_age;
  `);
  expect(
    parts.map(
      ({ statements, index }) => index ?? statements.map((one) => one.replaceAll(/\s+/g, ' ')),
    ),
  ).toEqual([
    [
      'create table new (id text)',
      'create index by_id on new (id)',
      "insert into new (id) values ('a')",
    ],
    ['alter table jobs add column a text'],
    ['alter table transfers add column b bigint not null default 1'],
    ['alter table transfers add constraint transfers_b check (b in (1, 2)) not valid'],
    { name: 'by_a', table: 'jobs', rest: ' (a)' },
    ['drop index by_age'],
  ]);
});

test('PostgreSQL compresses the journal with LZ4, if it was built with it', async () => {
  await using store = await makeStore(postgresEngine);
  const rows = await store.database.run(
    `select attcompression = 'l' as "isLz4", 'lz4' = any(enumvals) as "isBuiltIn"
     from pg_attribute, pg_settings where name = 'default_toast_compression'
       and attrelid = 'deferred'::regclass and attname = 'input'`,
  );
  expect(rows).toEqual([{ isLz4: rows[0]?.['isBuiltIn'], isBuiltIn: rows[0]?.['isBuiltIn'] }]);
});

test('an index that a gateway left unfinished is built by the next one', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  const text = 'alter table jobs add column a text;\ncreate index by_a on jobs (a);\n';
  const steps = [...migrations, { version: 9000, text }];
  const dying: Database = {
    ...database,
    run: async (statement, values) => {
      const rows = await database.run(statement, values);
      if (!statement.startsWith('create index')) return rows as never;
      // As it is while the index is being built.
      await database.run(
        "update pg_index set indisvalid = false where indexrelid = 'by_a'::regclass",
      );
      throw new Error('the gateway died');
    },
  };
  expect(await migrate(dying, now, steps).catch(String)).toContain('died');
  expect(await migrate(database, now, steps)).toBe(1);
  expect(
    await database.run("select indisvalid from pg_index where indexrelid = 'by_a'::regclass"),
  ).toEqual([{ indisvalid: true }]);
});

test('of two gateways that migrate at once, one builds the index and the other waits', async () => {
  await using store = await makeStore(postgresEngine);
  const other = await store.another();
  const text = 'create index by_model on jobs (model);\nalter table jobs add column a text;\n';
  const steps = [...migrations, { version: 9000, text }];
  const both = [migrate(store.database, now, steps), migrate(other, now, steps)];
  expect((await Promise.all(both)).toSorted((one, two) => one - two)).toEqual([0, 1]);
  await other.close();
});

test('a migration lets requests pass and runs when its table is free', async () => {
  await using store = await makeStore(postgresEngine);
  const other = await store.another();
  const ahead = { version: 9000, text: 'alter table accounts add column ahead text;\n' };
  let migrating: Promise<number> | undefined;
  await other.transaction(async (tx) => {
    await tx.run('select id from accounts');
    migrating = migrate(store.database, now, [...migrations, ahead]);
    // Requests after the migration do not wait for it while the first transaction runs.
    for (let read = 0; read < 3; read += 1) {
      await Bun.sleep(300);
      await other.run('select id from accounts');
    }
    await tx.run('select id from accounts');
  });
  expect(await migrating).toBe(1);
  await other.close();
});
