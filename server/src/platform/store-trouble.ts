// Reads what a database error means: connection gone, store in trouble, or a wrong statement.

/** `lost`: it may have been committed, and a repeat may work. `broken`: a repeat would not help. */
export type StoreTrouble = 'lost' | 'broken';

export function storeTrouble(error: unknown): StoreTrouble | undefined {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (typeof code !== 'string') return undefined;
  if (code.startsWith('SQLITE_')) return beginning(code, sqlite_codes);
  if (code === 'ERR_POSTGRES_SERVER_ERROR') return beginning(String(errno), sql_states);
  if (code === 'ERR_POSTGRES_SYNTAX_ERROR') return undefined;
  return code.startsWith('ERR_POSTGRES_') ? 'lost' : undefined;
}

/** A row with this id is there already. */
export function isTaken(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  return code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || errno === unique_violation;
}

const unique_violation = '23505';

const sqlite_codes: Readonly<Record<string, StoreTrouble>> = {
  SQLITE_BUSY: 'lost',
  SQLITE_LOCKED: 'lost',
  SQLITE_FULL: 'broken',
  SQLITE_IOERR: 'broken',
  SQLITE_READONLY: 'broken',
  SQLITE_CANTOPEN: 'broken',
  SQLITE_CORRUPT: 'broken',
  SQLITE_NOTADB: 'broken',
  SQLITE_GONE: 'broken',
};

/** Connection trouble, shutdowns, deadlocks and lost races are repeated; a full disk is not. */
const sql_states: Readonly<Record<string, StoreTrouble>> = {
  '08': 'lost',
  '25006': 'lost',
  '25P03': 'lost',
  '40': 'lost',
  '53300': 'lost',
  '53': 'broken',
  // The database is closed to connections, or gone.
  '3D000': 'broken',
  '55000': 'lost',
  '55P03': 'lost',
  '57': 'lost',
  '58': 'broken',
  XX: 'broken',
};

function beginning(
  code: string,
  table: Readonly<Record<string, StoreTrouble>>,
): StoreTrouble | undefined {
  const start = Object.keys(table)
    .filter((one) => code.startsWith(one))
    .toSorted((one, other) => other.length - one.length)[0];
  return start === undefined ? undefined : table[start];
}
