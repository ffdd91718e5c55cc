// What the audit log records about a request to the sign-in library: the one write that is the
// change, and where the request came from. The library writes rows without saying why.
import type { AuditAction } from '@trivium/contract';
import { audit, personAuthor } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { makeAsyncScope } from '../../platform/telemetry.ts';
import type { SingleSignOn } from '../../settings/index.ts';
import type { Database, Row, Runner } from '../../store/index.ts';
import { findPerson } from '../store/people.ts';

/** What sign-in needs. */
export interface SignInParts {
  database: Database;
  clock: Clock;
  log: Log;
  secret: string;
  /** The address of the dashboard. The library does not use the Host header of a request. */
  base_url: string;
  single_sign_on: SingleSignOn | undefined;
}

/** The header that passes the address of the connection to the sign-in library. */
export const peerHeader = 'x-trivium-peer';

type Write = 'insert' | 'update' | 'delete';

interface AuditedRequest {
  action: AuditAction;
  /** The first write of this kind to this table is the change. */
  write: `${Write} ${string}`;
  address: string;
  /** Set when a sign-in returns from the identity provider. */
  state?: string | undefined;
}

/** For what the library calls back without passing our arguments on. */
const scope = makeAsyncScope<AuditedRequest>();

const auditedPaths: Readonly<Record<string, Pick<AuditedRequest, 'action' | 'write'>>> = {
  '/sign-in/email': { action: 'person.signed_in', write: 'insert sessions' },
  '/callback/oidc': { action: 'person.signed_in', write: 'insert sessions' },
  '/sign-out': { action: 'person.signed_out', write: 'delete sessions' },
  '/revoke-sessions': { action: 'person.signed_out', write: 'delete sessions' },
  '/change-password': { action: 'person.password_changed', write: 'update credentials' },
};

/** Runs a request to the library, so that its change is recorded. */
export function auditSignIn<T>(
  path: string,
  from: Pick<AuditedRequest, 'address' | 'state'>,
  work: () => T,
): T {
  const audited = auditedPaths[path];
  return audited ? scope.run({ ...audited, ...from }, work) : work();
}

/** The state with which the identity provider sent the browser back. */
export function signInState(): string | undefined {
  return scope.getStore()?.state;
}

/** Where the request to the library came from. Empty outside one. */
export function signInAddress(): string {
  return scope.getStore()?.address ?? '';
}

/** Runs one statement of the library, in the same transaction as its audit entry, if it has one. */
export async function writeAudited(
  { database, clock }: { database: Database; clock: Clock },
  write: Write,
  table: string,
  run: (on: Runner) => Promise<Row[]>,
): Promise<Row[]> {
  const audited = scope.getStore();
  if (audited?.write !== `${write} ${table}`) return run(database);
  return database.transaction(async (tx) => {
    const rows = await run(tx);
    const personId = rows[0]?.['person_id'];
    const person = typeof personId === 'string' ? await findPerson(tx, personId) : undefined;
    if (!person) return rows;
    const { id, email, role, account_id } = person;
    const after = { email, role, ...(write === 'delete' ? { sessions_ended: rows.length } : {}) };
    const change = { action: audited.action, account_id, target: id, after };
    await audit(tx, personAuthor(person, audited.address), change, clock.now().getTime());
    return rows;
  });
}
