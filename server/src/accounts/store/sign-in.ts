// Statements on the sign-in tables, built from the conditions of the sign-in library; and the subjects
// of the identity provider, each of which belongs to one person.
import { query, type Row, type Runner, table, text, type Value } from '../../store/index.ts';
import { credentials } from './people.ts';
import { hourMs } from '@trivium/contract/durations';

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
  const values = Object.values(row).map(storable);
  const places = values.map((_, at) => `$${at + 1}`);
  const [made] = await on.run(
    `insert into ${checkTable(table)} (${columns.join(', ')}) values (${places.join(', ')})
     returning ${columnsOf(table)}`,
    values,
  );
  return readRow(made ?? row);
}

export async function selectRows(on: Runner, table: string, listing: Listing): Promise<Row[]> {
  const { sort, limit, offset = 0 } = listing;
  const where = conditions(listing.where);
  const order = sort ? ` order by ${name(sort.field)} ${sort.direction}` : '';
  const rows = await on.run(
    `select ${columnsOf(table)} from ${checkTable(table)}${where.text}${order}
     limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
    where.values,
  );
  return rows.map(readRow);
}

/** Adds the numbers in `add` to their fields, and sets the fields in `set`. */
export async function updateRows(
  on: Runner,
  table: string,
  where: readonly Condition[],
  { set = {}, add = {} }: { set?: Row; add?: Readonly<Record<string, number>> },
): Promise<Row[]> {
  const values = [...Object.values(set), ...Object.values(add)].map(storable);
  const changes = [
    ...Object.keys(set).map((field, at) => `${name(field)} = $${at + 1}`),
    ...Object.keys(add).map((field, at) => {
      const place = Object.keys(set).length + at + 1;
      return `${name(field)} = ${name(field)} + $${place}`;
    }),
  ];
  const condition = conditions(where, values.length);
  const rows = await on.run(
    `update ${checkTable(table)} set ${changes.join(', ')}${condition.text}
     returning ${columnsOf(table)}`,
    [...values, ...condition.values],
  );
  return rows.map(readRow);
}

export async function deleteRows(
  on: Runner,
  table: string,
  where: readonly Condition[],
): Promise<Row[]> {
  const condition = conditions(where);
  const rows = await on.run(
    `delete from ${checkTable(table)}${condition.text} returning ${columnsOf(table)}`,
    condition.values,
  );
  return rows.map(readRow);
}

export function countRows(on: Runner, table: string, where: readonly Condition[]): Promise<number> {
  const condition = conditions(where);
  return query.number(
    on,
    `select count(*) from ${checkTable(table)}${condition.text}`,
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
    values.push(storable(value));
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

function checkTable(table: string): string {
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

function storable(value: unknown): Value {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const numericColumns = ['email_verified'];

/** PostgreSQL returns bigint as text. */
function readRow(row: Row): Row {
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

/** The name of the identity provider in the sign-in library. */
export const oidcProviderId = 'oidc';

export async function findSubjectOwner(on: Runner, subject: string): Promise<string | undefined> {
  const [email] = await query.texts(
    on,
    `select people.email from credentials join people on people.id = credentials.person_id
     where credentials.provider_id = $1 and credentials.provider_account_id = $2`,
    [oidcProviderId, subject],
  );
  return email;
}

/** Locks the person, so that two subjects cannot claim one address at the same time. */
export async function lockPersonWith(on: Runner, email: string): Promise<string | undefined> {
  const select = `select id from people where email = $1${on.lock('for update')}`;
  return (await query.texts(on, select, [email]))[0];
}

export function listSubjects(on: Runner, personId: string): Promise<string[]> {
  return query.texts(
    on,
    'select provider_account_id from credentials where person_id = $1 and provider_id = $2',
    [personId, oidcProviderId],
  );
}

const insertCredentials = credentials.insert();

/** The provider's tokens are not stored, because the gateway does not call it after a sign-in. */
export async function insertSubject(
  on: Runner,
  { subject, at, ...row }: { id: string; person_id: string; subject: string; at: string },
): Promise<void> {
  const provider = { provider_id: oidcProviderId, provider_account_id: subject };
  await insertCredentials(on, [{ ...row, ...provider, created_at: at, updated_at: at }]);
}

/** Longer than the library accepts a state. */
const stateKeptMs = hourMs;

const insertState = table('verifications', {
  id: text,
  identifier: text,
  value: text,
  expires_at: text,
  created_at: text,
  updated_at: text,
}).insertNew('id');

/**
 * True for exactly one caller. Only verified id tokens reach this, so a stranger cannot add rows.
 */
export async function takeState(on: Runner, digest: string, now: Date): Promise<boolean> {
  const at = now.toISOString();
  await on.run('delete from verifications where expires_at <= $1', [at]);
  return insertState(on, {
    id: digest,
    identifier: 'single sign-on',
    value: '',
    expires_at: new Date(now.getTime() + stateKeptMs).toISOString(),
    created_at: at,
    updated_at: at,
  });
}
