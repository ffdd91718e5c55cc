// Statements on the sign-in tables, built from the conditions of the sign-in library.
import { query, type Row, type Runner, type Value } from '../../store/index.ts';

/**
 * Columns are listed by name, because a statement with `*` breaks when a newer version adds a
 * column.
 */
const made = 'created_at, updated_at';
const signInTables: Readonly<Record<string, string>> = {
  people: `id, name, email, email_verified, image, role, account_id, ${made}`,
  sessions: `id, person_id, token, expires_at, ip_address, user_agent, ${made}`,
  credentials: `id, person_id, provider_id, provider_account_id, access_token, refresh_token,
    id_token, access_token_expires_at, refresh_token_expires_at, scope, password, ${made}`,
  verifications: `id, identifier, value, expires_at, ${made}`,
};

export interface Condition {
  field: string;
  operator: string;
  value: unknown;
  connector: 'AND' | 'OR';
}

interface Listing {
  where: readonly Condition[];
  limit: number;
  offset?: number | undefined;
  sort?: { field: string; direction: 'asc' | 'desc' } | undefined;
}

export async function insertRow(on: Runner, table: string, row: Row): Promise<Row> {
  const columns = Object.keys(row).map(name);
  const values = Object.values(row).map(plain);
  const places = values.map((_, at) => `$${at + 1}`);
  const [made] = await on.run(
    `insert into ${known(table)} (${columns.join(', ')}) values (${places.join(', ')})
     returning ${columnsOf(table)}`,
    values,
  );
  return read(made ?? row);
}

export async function selectRows(on: Runner, table: string, listing: Listing): Promise<Row[]> {
  const { sort, limit, offset = 0 } = listing;
  const where = conditions(listing.where);
  const order = sort ? ` order by ${name(sort.field)} ${sort.direction}` : '';
  const rows = await on.run(
    `select ${columnsOf(table)} from ${known(table)}${where.text}${order}
     limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
    where.values,
  );
  return rows.map(read);
}

/** Adds the numbers in `add` to their fields, and sets the fields in `set`. */
export async function updateRows(
  on: Runner,
  table: string,
  where: readonly Condition[],
  { set = {}, add = {} }: { set?: Row; add?: Readonly<Record<string, number>> },
): Promise<Row[]> {
  const values = [...Object.values(set), ...Object.values(add)].map(plain);
  const changes = [
    ...Object.keys(set).map((field, at) => `${name(field)} = $${at + 1}`),
    ...Object.keys(add).map((field, at) => {
      const place = Object.keys(set).length + at + 1;
      return `${name(field)} = ${name(field)} + $${place}`;
    }),
  ];
  const condition = conditions(where, values.length);
  const rows = await on.run(
    `update ${known(table)} set ${changes.join(', ')}${condition.text}
     returning ${columnsOf(table)}`,
    [...values, ...condition.values],
  );
  return rows.map(read);
}

export async function deleteRows(
  on: Runner,
  table: string,
  where: readonly Condition[],
): Promise<Row[]> {
  const condition = conditions(where);
  const rows = await on.run(
    `delete from ${known(table)}${condition.text} returning ${columnsOf(table)}`,
    condition.values,
  );
  return rows.map(read);
}

export function countRows(on: Runner, table: string, where: readonly Condition[]): Promise<number> {
  const condition = conditions(where);
  return query.number(
    on,
    `select count(*) from ${known(table)}${condition.text}`,
    condition.values,
  );
}

const comparisons: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

function conditions(where: readonly Condition[], before = 0): { text: string; values: Value[] } {
  const values: Value[] = [];
  const place = (value: unknown) => {
    values.push(plain(value));
    return `$${before + values.length}`;
  };
  const texts = where.map(({ field, operator, value }) => {
    const column = name(field);
    if (value === null) return `${column} is ${operator === 'ne' ? 'not null' : 'null'}`;
    if (Array.isArray(value)) {
      const list = value.length === 0 ? 'null' : value.map(place).join(', ');
      return `${column} ${operator === 'not_in' ? 'not in' : 'in'} (${list})`;
    }
    const comparison = comparisons[operator];
    if (!comparison) throw new Error(`the sign-in library uses the unknown operator ${operator}`);
    return `${column} ${comparison} ${place(value)}`;
  });
  const any = where.some(({ connector }) => connector === 'OR');
  const text = texts.length === 0 ? '' : ` where ${texts.join(any ? ' or ' : ' and ')}`;
  return { text, values };
}

function known(table: string): string {
  columnsOf(table);
  return table;
}

function columnsOf(table: string): string {
  const columns = signInTables[table];
  if (columns === undefined) throw new Error(`there is no sign-in table ${table}`);
  return columns;
}

/** Names come from the library's schema. Nothing else may reach a statement. */
function name(field: string): string {
  if (/^[a-z][a-z_]*$/.test(field)) return field;
  throw new Error(`the sign-in library uses the invalid column ${field}`);
}

function plain(value: unknown): Value {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const numericColumns = ['email_verified'];

/** PostgreSQL returns bigint as text. */
function read(row: Row): Row {
  const numbers = numericColumns.flatMap((column) =>
    column in row ? [[column, Number(row[column])] as const] : [],
  );
  return { ...row, ...Object.fromEntries(numbers) };
}

/**
 * Also deletes expired data of the sign-in library, and the rows of a table that no current version
 * uses.
 */
export async function deleteExpiredSessions(on: Runner, at: string): Promise<number> {
  await on.run('delete from sessions where expires_at < $1', [at]);
  await on.run('delete from verifications where expires_at < $1', [at]);
  await on.run('delete from sign_in_limits');
  return 0;
}
