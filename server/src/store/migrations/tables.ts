// The tables as data, for copying a whole store from SQLite to PostgreSQL and comparing the two.
import type { Runner, Value } from '../database.ts';
import { migrations } from './index.ts';

const droppedTables = new Set(migrations.flatMap(({ text }) => namesAfter('drop table', text)));

/** In insertion order: a migration creates a table after those that it references. */
export const tableNames: readonly string[] = migrations.flatMap(({ text }) =>
  namesAfter('create table', text).filter((name) => !droppedTables.has(name)),
);

interface Column {
  name: string;
  type: string;
}

/** Reads the columns from SQLite. The same migrations created the PostgreSQL tables. */
export async function columnsOf(sqlite: Runner, table: string): Promise<Column[]> {
  const rows = await sqlite.run<{ name: unknown; type: unknown }>(
    'select name, type from pragma_table_info($1) order by cid',
    [table],
  );
  return rows.map(({ name, type }) => ({ name: String(name), type: String(type).toLowerCase() }));
}

export async function listTables(sqlite: Runner): Promise<string[]> {
  const rows = await sqlite.run<{ name: unknown }>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
       and name not in ('schema_version', 'schema_parts') order by name`,
  );
  return rows.map(({ name }) => String(name));
}

function namesAfter(words: string, text: string): string[] {
  const found = text.split(`${words} `).slice(1);
  return found.map((rest) => rest.split(/\W/, 1)[0] ?? '');
}

const pageRows = 200;

/** Copies all rows, and returns how many there were. */
export async function copyTable(
  from: Runner,
  to: Runner,
  table: string,
  columns: readonly Column[],
): Promise<number> {
  const names = columns.map(({ name }) => name);
  await to.run(`delete from ${table}`);
  let after = 0;
  for (let copied = 0; ;) {
    const rows = await from.run<Record<string, Value>>(
      `select rowid as row_number, ${names.join(', ')} from ${table}
         where rowid > $1 order by rowid limit ${pageRows}`,
      [after],
    );
    if (rows.length === 0) return copied;
    await insertRows(to, table, names, rows);
    copied += rows.length;
    after = Number(rows.at(-1)?.['row_number']);
  }
}

async function insertRows(
  to: Runner,
  table: string,
  names: readonly string[],
  rows: readonly Record<string, Value>[],
): Promise<void> {
  const values = rows.flatMap((row) => names.map((name) => row[name] ?? null));
  const places = rows.map(
    (_, row) => `(${names.map((_name, at) => `$${row * names.length + at + 1}`).join(', ')})`,
  );
  await to.run(`insert into ${table} (${names.join(', ')}) values ${places.join(', ')}`, values);
}

/**
 * The row count, the sum of each number and the length of each text, to compare a table with its
 * copy.
 */
export async function sumTable(
  on: Runner,
  table: string,
  columns: readonly Column[],
): Promise<Record<string, number>> {
  const numbers = columns.filter(({ type }) => type === 'bigint').map(({ name }) => name);
  const texts = columns.filter(({ type }) => type === 'text').map(({ name }) => name);
  const sums = [
    'count(*) as row_count',
    ...numbers.map((name) => `coalesce(sum(${name}), 0) as sum_${name}`),
    ...texts.map((name) => `coalesce(sum(length(${name})), 0) as length_${name}`),
  ];
  const [row = {}] = await on.run(`select ${sums.join(', ')} from ${table}`);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}
