// Errors that end a start or a command, and what a person can do about them.

/** An error that is shown to the user without a stack trace. */
export class StartError extends Error {}

/** Undefined for an error that only a developer can explain. */
export function describeFailure(error: unknown, store = 'The store'): string | undefined {
  if (error instanceof StartError) return error.message;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return undefined;
  const said = String(message);
  const advice = Object.entries(sqliteAdvice).find(([start]) => code.startsWith(start))?.[1];
  if (advice !== undefined) return `${store} ${advice} (${said})`;
  if (code.startsWith('ERR_POSTGRES_')) {
    return `${store} cannot be used: ${said}. Check DATABASE_URL, and that PostgreSQL runs.`;
  }
  return undefined;
}

const damaged =
  'is damaged. Stop the gateway, move the file away but keep it, and restore the latest backup ' +
  'with trivium restore <folder>.';

const sqliteAdvice: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_IOERR_SHORT_READ: damaged,
  SQLITE_FULL: 'cannot be written, because the disk is full. Free some space and try again.',
  SQLITE_READONLY: 'cannot be written. Give this user write access to its file and its folder.',
  SQLITE_CANTOPEN: 'cannot be opened. Give this user access to its file and its folder.',
  SQLITE_IOERR: 'cannot be read or written: the disk reports an error. Check the disk.',
  SQLITE_BUSY: 'is locked by another program. End that program and try again.',
};
