// What a declared table reads is what it wrote, on both engines.
import { describe, expect, test } from 'bun:test';
import {
  adding,
  flag,
  inParts,
  json,
  orNull,
  table,
  text,
  textOf,
  whole,
} from '../../src/store/index.ts';
import { type Engine, engines } from './engines.ts';

const isList = (value: unknown): value is string[] => Array.isArray(value);

const samples = table(
  'samples',
  {
    id: text,
    kind: textOf<'plain' | 'other'>(),
    count: whole,
    open: flag,
    names: json(isList),
    note: orNull(text),
    ended_at: orNull(whole),
    extra: orNull(json(isList)),
  },
  'sample',
);
const insert = samples.insert();
const add = samples.pick('id', 'kind', 'count', 'open', 'names').insert({
  end: adding('samples', 'id', ['count']),
});

async function makeSamples(engine: Engine) {
  const store = await engine.open();
  await store.database.run(
    `create table samples (id text primary key, kind text, count bigint, open bigint, names text,
       note text, ended_at bigint, extra text)`,
  );
  return { ...store, [Symbol.asyncDispose]: store.discard };
}

const row = { id: 'a', kind: 'plain', count: 2 ** 52, open: true, names: ['ü', "'"] } as const;
const mutable = { ...row, names: [...row.names] };

describe.each([...engines])('a declared table on $name', (engine) => {
  test('reads what it wrote, and null for what was left out', async () => {
    await using store = await makeSamples(engine);
    const full = { ...mutable, id: 'b', note: '', ended_at: 0, extra: [] };
    await insert(store.database, [mutable, full]);
    const rows = await store.database.run(`select ${samples.columns} from samples order by id`);
    expect(rows.map(samples.read)).toEqual([
      { ...mutable, note: null, ended_at: null, extra: null },
      full,
    ]);
  });

  test('takes no rows, three rows and more rows than one statement can', async () => {
    await using store = await makeSamples(engine);
    for (const count of [0, 3, 9000]) {
      const rows = Array.from({ length: count }, (_, at) => ({ ...mutable, id: String(at) }));
      await add(store.database, rows);
      const [found] = await store.database.run('select count(*) as count from samples');
      expect(Number(found?.['count'])).toBe(count);
    }
    const [first] = await store.database.run(`select count from samples where id = '1'`);
    expect(Number(first?.['count'])).toBe(2 * row.count);
  });

  test('names the columns of a statement over many rows', async () => {
    await using store = await makeSamples(engine);
    await add(store.database, [mutable, { ...mutable, id: 'b' }, { ...mutable, id: 'c' }]);
    const end = inParts(
      { id: text, at: whole },
      'update samples set ended_at = v.at from v where samples.id = v.id returning samples.id',
    );
    const ended = await end(store.database, [
      { id: 'c', at: 7 },
      { id: 'gone', at: 8 },
    ]);
    expect(ended).toEqual([{ id: 'c' }]);
  });
});

test('a value that cannot be read is an error that names row and column', () => {
  const stored = { id: 'a', kind: 'later', count: '3', open: 0, names: '{}' };
  expect(() => samples.read(stored)).toThrow(
    'The names of sample a in the store cannot be read: a value in it is missing or of another type',
  );
  expect(samples.pick('kind', 'count', 'open', 'note').read(stored)).toEqual({
    kind: 'later' as never,
    count: 3,
    open: false,
    note: null,
  });
});
