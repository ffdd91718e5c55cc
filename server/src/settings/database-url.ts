// The address of a PostgreSQL database, as an operator writes it.
import { z } from 'zod';

const words = 'must be postgres://user:password@host:5432/database, with the name of the database';

export const databaseUrl = z.string().regex(/^postgres(ql)?:\/\/[^/?#]*\/[^/?#]+/, words);

/** Bun's client prefers PGDATABASE from the environment to the URL, unless it is given the name. */
export function databaseIn(url: string): string {
  return decodeURIComponent(/^[^:]+:\/\/[^/?#]*\/([^/?#]+)/.exec(url)?.[1] ?? '');
}

const parts = /^([^:]+:\/\/(?:[^/?#]*@)?)([^@/?#]*)(\/[^?#]*)(\?[^#]*)?/;

/** One URL for each host. Several hosts are separated by commas, as in libpq. */
export function addressesIn(url: string): string[] {
  const found = parts.exec(url);
  if (!found) return [url];
  const [, start = '', hosts = '', path = '', query = ''] = found;
  const rest = query.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${start}${host}${path}${rest}`);
}

const unprepared = /([?&])prepare=false(&|$)/;

/**
 * True for a pooler that gives each transaction another connection: no statement stays prepared.
 */
export function isUnprepared(url: string): boolean {
  return unprepared.test(url);
}

/** The server does not know this parameter, so it is removed. */
export function withoutPrepare(url: string): string {
  return url.replace(unprepared, (_, before: string, after: string) => (after ? before : ''));
}

/** For the log, without credentials. */
export function nameOfDatabase(url: string): string {
  const [, , hosts = '', path = ''] = parts.exec(url) ?? [];
  return `PostgreSQL at ${hosts}${path}`;
}
