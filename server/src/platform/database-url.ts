// The address of a PostgreSQL database, as an operator writes it.
import { z } from 'zod';

const words = 'must be postgres://user:password@host:5432/database, with the name of the database';

export const databaseUrl = z.string().regex(/^postgres(ql)?:\/\/[^/?#]*\/[^/?#]+/, words);

/** Bun's client prefers PGDATABASE of the environment to the URL, unless it is given the name. */
export function databaseIn(url: string): string {
  return decodeURIComponent(/^[^:]+:\/\/[^/?#]*\/([^/?#]+)/.exec(url)?.[1] ?? '');
}

/** For the log, without credentials. */
export function nameOfDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}
