// The tables as data, for copying a whole store from SQLite to PostgreSQL and comparing the two.
import { StartError } from '../../platform/start-error.ts';
import type { Runner, Value } from '../database.ts';
import { type Column, query, table, text, whole } from '../table.ts';
import { migrations } from './index.ts';

/** In insertion order: a migration creates a table after those that it references. */
export const tableNames: readonly string[] = migrations.flatMap(({ text }) =>
  [...text.matchAll(/\bcreate table (\w+)/g)].map(([, name = '']) => name),
);

type Columns = Readonly<Record<string, Column<Value>>>;

/** Reads the columns from SQLite. The same migrations created the PostgreSQL tables. */
async function columnsOf(sqlite: Runner, table: string): Promise<Columns> {
  const rows = await sqlite.run<{ name: string; type: string }>(
    'select name, type from pragma_table_info($1) order by cid',
    [table],
  );
  const columns = rows.map(({ name, type }) => {
    const isText = type.toLowerCase() === 'text';
    return [name, isText ? text : whole] as const;
  });
  return Object.fromEntries(columns);
}

function listTables(sqlite: Runner): Promise<string[]> {
  return query.texts(
    sqlite,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
       and name not in ('schema_version', 'schema_parts') order by name`,
  );
}

interface MovedTable {
  table: string;
  rows: number;
}

/** Copies every table. Both stores have the same schema, and the new one must be empty. */
export async function copyTables(from: Runner, to: Runner): Promise<MovedTable[]> {
  const unknown = (await listTables(from)).filter((table) => !tableNames.includes(table));
  if (unknown.length > 0) throw new Error(`the move does not know ${unknown.join(', ')}`);
  if ((await sumTable(to, 'accounts', {}))['row_count'] !== 0) {
    const advice = 'Move into a new, empty database.';
    throw new StartError(`The PostgreSQL database already has accounts. ${advice}`);
  }
  const moved: MovedTable[] = [];
  for (const table of tableNames) {
    const columns = await columnsOf(from, table);
    moved.push({ table, rows: await copyTable(from, to, table, columns) });
    const before = await sumTable(from, table, columns);
    const after = await sumTable(to, table, columns);
    const different = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (different.length === 0) continue;
    const names = different.join(', ');
    throw new StartError(`${table} is not the same after the move (${names}). Nothing was moved.`);
  }
  return moved;
}

const pageRows = 200;

/** Copies all rows, and returns how many there were. */
async function copyTable(
  from: Runner,
  to: Runner,
  name: string,
  columns: Columns,
): Promise<number> {
  await to.run(`delete from ${name}`);
  const insert = table(name, columns).insert();
  let after = 0;
  for (let copied = 0; ;) {
    const rows = await from.run<Record<string, Value>>(
      `select rowid as row_number, ${Object.keys(columns).join(', ')} from ${name}
         where rowid > $1 order by rowid limit ${pageRows}`,
      [after],
    );
    if (rows.length === 0) return copied;
    await insert(to, rows);
    copied += rows.length;
    after = Number(rows.at(-1)?.['row_number']);
  }
}

/**
 * The row count, the sum of each number and the length of each text, to compare a table with its
 * copy.
 */
async function sumTable(
  on: Runner,
  table: string,
  columns: Columns,
): Promise<Record<string, number>> {
  const sums = Object.entries(columns).map(([name, { type }]) => {
    const value = type === 'text' ? `length(${name})` : name;
    return `coalesce(sum(${value}), 0) as ${name}`;
  });
  const all = ['count(*) as row_count', ...sums].join(', ');
  const [row = {}] = await on.run(`select ${all} from ${table}`);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}
