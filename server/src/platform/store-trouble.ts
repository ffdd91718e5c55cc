// Classifies database errors: connection lost, store broken, or an invalid statement.
import { type GatewayError, tryLater } from '@trivium/contract/gateway-error';

/** `lost`: it may have been committed, and a retry may work. `broken`: a retry would not help. */
type StoreTrouble = 'lost' | 'broken';

export function storeTrouble(error: unknown): StoreTrouble | undefined {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (typeof code !== 'string') return undefined;
  if (code.startsWith('SQLITE_')) return findByPrefix(code, sqliteCodes);
  if (code === 'ERR_POSTGRES_SERVER_ERROR') return findByPrefix(String(errno), sqlStates);
  if (code === 'ERR_POSTGRES_SYNTAX_ERROR') return undefined;
  return code.startsWith('ERR_POSTGRES_') ? 'lost' : undefined;
}

/**
 * The embedded store is damaged: what it acknowledges from now on may be lost, so the gateway ends.
 */
export function isDamage(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && damageCodes.some((start) => code.startsWith(start));
}

/** A page that is missing in a truncated file is a short read. */
const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

const uncommitted = new WeakSet<object>();

/** Marks that the transaction ended with this error before its commit was sent. */
export function noteUncommitted(error: unknown): void {
  if (typeof error === 'object' && error !== null) uncommitted.add(error);
}

/** True if nothing of the transaction can have been committed, although its server is lost. */
export function isUncommitted(error: unknown): boolean {
  return typeof error === 'object' && error !== null && uncommitted.has(error);
}

/** An error of the embedded store, also one that SQLite does not report itself. */
export function storeError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** True if a row with this id already exists. */
export function isTaken(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  return code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || errno === uniqueViolation;
}

const uniqueViolation = '23505';

const sqliteCodes: Readonly<Record<string, StoreTrouble>> = {
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

/** Lost connections, shutdowns, deadlocks and conflicts are retried; a full disk is not. */
const sqlStates: Readonly<Record<string, StoreTrouble>> = {
  '08': 'lost',
  '25006': 'lost',
  '25P03': 'lost',
  '40': 'lost',
  '53300': 'lost',
  '53': 'broken',
  // The database was dropped.
  '3D000': 'broken',
  '55000': 'lost',
  '55P03': 'lost',
  '57': 'lost',
  '58': 'broken',
  XX: 'broken',
};

function findByPrefix(
  code: string,
  table: Readonly<Record<string, StoreTrouble>>,
): StoreTrouble | undefined {
  const start = Object.keys(table)
    .filter((one) => code.startsWith(one))
    .toSorted((one, other) => other.length - one.length)[0];
  return start === undefined ? undefined : table[start];
}

export function storeUnavailable(cause?: unknown): GatewayError {
  return tryLater(
    'provider_not_available',
    'The store cannot accept this request at the moment. Try again shortly, with the same ' +
      'Idempotency-Key if you sent one.',
    1,
    cause,
  );
}

/** Undefined for errors that do not come from the store. */
export function asStoreUnavailable(error: unknown): GatewayError | undefined {
  return storeTrouble(error) === undefined ? undefined : storeUnavailable(error);
}
