// A table, declared once: its columns, how each is read and written, and the statements that follow
// from them. Every other statement is SQL text that takes the column list from here.
import { readJson } from './columns.ts';
import type { Row, Runner, Value } from './database.ts';

/** How one column is stored. `name` is for the error if a value cannot be read. */
export interface Column<T> {
  type: 'text' | 'bigint';
  read: (value: unknown, name: () => string) => T;
  write(value: NonNullable<T>): Value;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type ValueOf<C> = C extends Column<infer T> ? T : never;

/** The values of a row, by column. */
export type RowOf<C extends Columns> = { -readonly [N in keyof C]: ValueOf<C[N]> };

/** The values to write. A column that may be null may be left out. */
type NewRowOf<C extends Columns> = {
  [N in keyof C as null extends ValueOf<C[N]> ? never : N]: ValueOf<C[N]>;
} & { [N in keyof C as null extends ValueOf<C[N]> ? N : never]?: ValueOf<C[N]> | undefined };

/** Some columns of a table, or all of them. */
interface Part<C extends Columns> {
  /** Of the table. */
  name: string;
  /** For a select list or `returning`: `jobs.id, jobs.status`. */
  columns: string;
  read: (row: Row) => RowOf<C>;
  /** The first row that a select finds. `rest` follows the name of the table. */
  find: (on: Runner, rest: string, values?: readonly Value[]) => Promise<RowOf<C> | undefined>;
  list: (on: Runner, rest: string, values?: readonly Value[]) => Promise<RowOf<C>[]>;
  /** The row with this value in the column. */
  by: (name: keyof C & string) => (on: Runner, value: Value) => Promise<RowOf<C> | undefined>;
  /** Runs an update or a delete, and reads the first row that it changed. */
  change: (
    on: Runner,
    statement: string,
    values?: readonly Value[],
  ) => Promise<RowOf<C> | undefined>;
  /** The rows whose `name` is one of the ids. */
  ofIds: (name: keyof C & string) => (on: Runner, ids: readonly string[]) => Promise<RowOf<C>[]>;
  /**
   * Inserts many rows. `values` are columns that are not in the rows, as SQL; `end` is what follows
   * the statement.
   */
  insert: (more?: {
    values?: Readonly<Record<string, string>>;
    end?: string;
  }) => (on: Runner, rows: readonly NewRowOf<C>[]) => Promise<void>;
  /** Writes the other columns of the rows with these keys. */
  update: (key: keyof C & string) => (on: Runner, rows: readonly NewRowOf<C>[]) => Promise<void>;
  /** Inserts one row unless `unique` is taken. False if it is. */
  insertNew: (
    unique: string,
    values?: Readonly<Record<string, string>>,
  ) => (on: Runner, row: NewRowOf<C>) => Promise<boolean>;
}

interface Table<C extends Columns> extends Part<C> {
  pick: <N extends keyof C & string>(...names: readonly N[]) => Part<Pick<C, N>>;
  omit: <N extends keyof C & string>(...names: readonly N[]) => Part<Omit<C, N>>;
}

function column<T>(
  type: Column<T>['type'],
  read: Column<T>['read'],
  write: Column<T>['write'] = (value) => value as Value,
): Column<T> {
  return { type, read, write };
}

export const text = column<string>('text', String);
export const whole = column<number>('bigint', Number);
/** Stored as 0 or 1. */
export const flag = column<boolean>(
  'bigint',
  (value) => Number(value) === 1,
  (value) => (value ? 1 : 0),
);

/** A text with known values. A newer version may have stored others. */
export function textOf<T extends string>(): Column<T> {
  return text as unknown as Column<T>;
}

/** JSON. Reading it throws if the value is not as expected. */
export function json<T>(isExpected: (value: unknown) => value is T): Column<T> {
  const read = (value: unknown) => {
    if (!isExpected(value)) throw new Error('a value in it is missing or of another type');
    return value;
  };
  return column<T>(
    'text',
    (value, name) => readJson(name, read, value),
    (value) => JSON.stringify(value),
  );
}

export function orNull<T>({ type, read, write }: Column<T>): Column<T | null> {
  const readSome = (value: unknown, name: () => string) =>
    value === null || value === undefined ? null : read(value, name);
  return { type, read: readSome, write };
}

/** `called` is one row in the words of an error: `job`. */
export function table<C extends Columns>(
  name: string,
  columns: C,
  called: string = name,
): Table<C> {
  const partWith = (isIn: (column: string) => boolean) =>
    partOf(name, Object.fromEntries(Object.entries(columns).filter(([one]) => isIn(one))), called);
  return {
    ...partOf(name, columns, called),
    pick: <N extends keyof C & string>(...names: readonly N[]) =>
      partWith((one) => names.includes(one as N)) as unknown as Part<Pick<C, N>>,
    omit: <N extends keyof C & string>(...names: readonly N[]) =>
      partWith((one) => !names.includes(one as N)) as unknown as Part<Omit<C, N>>,
  };
}

function partOf<C extends Columns>(table: string, columns: C, called: string): Part<C> {
  const entries = Object.entries(columns);
  const names = entries.map(([name]) => name);
  const [key = ''] = names;
  const inserting = (values: Readonly<Record<string, string>>, end: string) => {
    const own = names.filter((name) => !(name in values));
    const list = [...own, ...Object.keys(values)].join(', ');
    const selected = [...own, ...Object.values(values)].join(', ');
    return inParts(
      columns,
      `insert into ${table} (${list}) select ${selected} from v where ${key} is not null ${end}`,
    );
  };
  const listed = names.map((name) => `${table}.${name}`).join(', ');
  const select = `select ${listed} from ${table}`;
  const read = (row: Row): RowOf<C> => {
    const values: Record<string, unknown> = {};
    let name = '';
    const nameOfValue = () => `The ${name} of ${called} ${String(row['id'] ?? '')}`;
    for (const [one, column] of entries) {
      name = one;
      values[name] = column.read(row[name], nameOfValue);
    }
    return values as RowOf<C>;
  };
  return {
    name: table,
    columns: listed,
    read,
    find: (on, rest, values) => query.row(on, read, `${select} ${rest}`, values),
    list: (on, rest, values) => query.rows(on, read, `${select} ${rest}`, values),
    change: (on, statement, values) =>
      query.row(on, read, `${statement} returning ${listed}`, values),
    by: (name) => (on, value) => query.row(on, read, `${select} where ${name} = $1`, [value]),
    ofIds: (name) => {
      const find = overIds((places) => `${select} where ${name} in (${places})`);
      return async (on, ids) => (await find(on, ids)).map(read);
    },
    insert: ({ values = {}, end = '' } = {}) => {
      const insertRows = inserting(values, end);
      return async (on, rows) => {
        await insertRows(on, rows);
      };
    },
    update: (key) => {
      const sets = names.filter((name) => name !== key).map((name) => `${name} = v.${name}`);
      const statement = `update ${table} set ${sets.join(', ')} from v where ${table}.${key} = v.${key}`;
      const updateRows = inParts(columns, statement);
      return async (on, rows) => {
        await updateRows(on, rows);
      };
    },
    insertNew: (unique, values = {}) => {
      const end = `on conflict (${unique}) do nothing returning ${key}`;
      const insertRow = inserting(values, end);
      return async (on, row) => (await insertRow(on, [row])).length === 1;
    },
  };
}

/** Reads rows of a statement whose columns are not those of one table. */
export function reader<C extends Columns>(columns: C, called = 'a row'): (row: Row) => RowOf<C> {
  return partOf('', columns, called).read;
}

/** Runs a statement over a list of ids, and reads its rows by their `id`. */
export function mapOfIds<C extends Columns>(columns: C, ...statement: Parameters<typeof overIds>) {
  const read = reader({ id: text, ...columns });
  const find = overIds(...statement);
  return async (on: Runner, ids: readonly string[], ...first: Value[]) => {
    const rows = (await find(on, ids, ...first)).map(read);
    return new Map(rows.map(({ id, ...values }) => [String(id), values as unknown as RowOf<C>]));
  };
}

type Statement = Parameters<Runner['run']>;

/** Runs a statement, and reads what it returns. */
export const query = {
  rows: async <T>(on: Runner, read: (row: Row) => T, ...[text, values]: Statement) =>
    (await on.run(text, values)).map(read),
  /** Undefined if the statement has no row. */
  row: async <T>(on: Runner, read: (row: Row) => T, ...[text, values]: Statement) => {
    const [row] = await on.run(text, values);
    return row && read(row);
  },
  /** The first column of the first row. 0 if there is none, or if it is null. */
  number: async (on: Runner, ...[text, values]: Statement) => {
    const [row = {}] = await on.run(text, values);
    return Number(Object.values(row)[0] ?? 0);
  },
  /** The first column of each row. */
  texts: async (on: Runner, ...[text, values]: Statement) =>
    (await on.run(text, values)).map((row) => String(Object.values(row)[0])),
  exists: async (on: Runner, ...[text, values]: Statement) =>
    (await on.run(text, values)).length > 0,
};

/** What follows an insert that adds to the numbers of an existing row. */
export function adding(table: string, key: string, numbers: readonly string[]): string {
  const sums = numbers.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  return `on conflict (${key}) do update set ${sums.join(', ')}`;
}

/**
 * A table of sums. `isOrdered` writes its rows in the order of the key, so that two gateways cannot
 * deadlock.
 */
export function sumsTable<K extends Columns, N extends Columns>(
  name: string,
  key: K,
  numbers: N,
  isOrdered = false,
) {
  const rows = table(name, { ...key, ...numbers });
  const [keys, counted] = [Object.keys(key), Object.keys(numbers)];
  const list = keys.join(', ');
  const order = isOrdered ? `order by ${list} ` : '';
  const insert = rows.insert({ end: order + adding(name, list, counted) });
  return {
    ...rows,
    /** Adds the numbers to those of the row with the same key. */
    add: (on: Runner, added: readonly NewRowOf<K & N>[]) =>
      insert(on, addUp(added, keys, counted) as typeof added),
    /** Deletes and returns the first rows whose `unit` is before this one, and not 0. */
    takeOld: (on: Runner, unit: keyof K & string, before: number, limit: number) =>
      query.rows(
        on,
        rows.read,
        `delete from ${name} where (${list}) in (select ${list} from ${name}
           where ${unit} > 0 and ${unit} < $1 order by ${unit} limit $2) returning ${rows.columns}`,
        [before, limit],
      ),
  };
}

/** One statement must not write a row twice. */
function addUp(rows: readonly object[], keys: readonly string[], numbers: readonly string[]) {
  if (rows.length < 2) return rows;
  const sums = new Map<string, Record<string, unknown>>();
  for (const row of rows as readonly Record<string, unknown>[]) {
    const place = keys.map((name) => row[name]).join('\n');
    const sum = sums.get(place);
    if (!sum) sums.set(place, { ...row });
    else for (const name of numbers) sum[name] = Number(sum[name]) + Number(row[name]);
  }
  return [...sums.values()];
}

/** Both engines limit the number of values in one statement. */
const maxValues = 32_766;

type RunRows<C extends Columns> = (on: Runner, rows: readonly NewRowOf<C>[]) => Promise<Row[]>;

/**
 * Runs a statement over many rows, which it reads as the table `v` with these columns, in several
 * parts if there are too many for one. Lists are padded to a power of two with rows of nulls, so
 * that only a few texts are built and prepared.
 */
export function inParts<C extends Columns>(columns: C, statement: string): RunRows<C> {
  const entries = Object.entries(columns);
  const head = `with v(${Object.keys(columns).join(', ')}) as`;
  const textFor = memoize((rows) => `${head} (${valuesText(entries, rows)}) ${statement}`);
  const valuesOf = (rows: readonly NewRowOf<C>[], length: number) => {
    const values: Value[] = [];
    for (const row of rows) {
      for (const [name, { write }] of entries) {
        const value = (row as Record<string, unknown>)[name];
        values.push(value === null || value === undefined ? null : write(value));
      }
    }
    for (let left = (length - rows.length) * entries.length; left > 0; left -= 1) values.push(null);
    return values;
  };
  const rowsPerPart = 2 ** Math.floor(Math.log2(maxValues / entries.length));
  return async (on, rows) => {
    const results: Row[] = [];
    for (let from = 0; from < rows.length; from += rowsPerPart) {
      const part = rows.slice(from, from + rowsPerPart);
      const length = paddedLength(part.length);
      results.push(...(await on.run(textFor(length), valuesOf(part, length))));
    }
    return results;
  };
}

/**
 * Runs a statement over a list of ids. Their placeholders follow those of the values in `first`.
 * `lock` is what locks the rows, such as `for update`, on the engine that has row locks.
 */
export function overIds(write: (places: string, lock: string) => string, lock?: string) {
  const textFor = memoize((length, from, locked) => {
    const places = Array.from({ length }, (_, at) => `$${from + at}`);
    return write(places.join(', '), locked);
  });
  return (on: Runner, ids: readonly string[], ...first: Value[]): Promise<Row[]> => {
    const length = paddedLength(ids.length);
    const values: Value[] = [...first, ...ids];
    // Padding repeats the last id, which matches no additional row.
    for (let left = length - ids.length; left > 0; left -= 1) values.push(ids.at(-1) ?? null);
    const locked = lock === undefined ? '' : on.lock(lock);
    return on.run(textFor(length, first.length + 1, locked), values);
  };
}

/** Each text is kept. */
function memoize(
  write: (length: number, from: number, locked: string) => string,
): (length: number, from?: number, locked?: string) => string {
  const texts = new Map<string, string>();
  return (length, from = 1, locked = '') => {
    const which = `${length} ${from}${locked}`;
    const known = texts.get(which);
    if (known !== undefined) return known;
    const text = write(length, from, locked);
    texts.set(which, text);
    return text;
  };
}

/** Only the first row has casts. Both engines infer the types of the other rows from it. */
function valuesText(
  columns: readonly (readonly [name: string, column: Column<unknown>])[],
  length: number,
): string {
  const rows = Array.from({ length }, (_, row) => {
    const places = columns.map(([, { type }], column) => {
      const place = `$${1 + row * columns.length + column}`;
      return row === 0 ? `cast(${place} as ${type})` : place;
    });
    return `(${places.join(', ')})`;
  });
  return `values ${rows.join(', ')}`;
}

function paddedLength(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, length)));
}
