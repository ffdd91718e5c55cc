// What the audit log records about a request to the sign-in library: the one write that is the
// change, and where the request came from. The library writes rows without saying why.
import type { AuditAction } from '@trivium/contract';
import { audit } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import { makeAsyncScope } from '../platform/telemetry.ts';
import type { Database, Row, Runner } from '../store/index.ts';
import { findPerson } from './store/people.ts';

type Write = 'insert' | 'update' | 'delete';

interface AuditedRequest {
  action: AuditAction;
  /** The first write of this kind to this table is the change. */
  write: `${Write} ${string}`;
  address: string;
  /** Set when a sign-in returns from the identity provider. */
  state?: string | undefined;
}

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
  return scope.current()?.state;
}

/** Where the request to the library came from. Null outside one. */
export function signInAddress(): string | null {
  return scope.current()?.address || null;
}

interface AuditedStore {
  database: Database;
  clock: Clock;
}

/** Runs one statement of the library, in the same transaction as its audit entry, if it has one. */
export async function writeAudited(
  { database, clock }: AuditedStore,
  write: Write,
  table: string,
  run: (on: Runner) => Promise<Row[]>,
): Promise<Row[]> {
  const audited = scope.current();
  if (audited?.write !== `${write} ${table}`) return run(database);
  return database.transaction(async (tx) => {
    const rows = await run(tx);
    const personId = rows[0]?.['person_id'];
    const person = typeof personId === 'string' ? await findPerson(tx, personId) : undefined;
    if (!person) return rows;
    const { id, email, role, account_id } = person;
    const by = { kind: 'person', id, name: email, address: signInAddress() } as const;
    const after = { email, role, ...(write === 'delete' ? { sessions_ended: rows.length } : {}) };
    const change = { action: audited.action, account_id, target: id, after };
    await audit(tx, by, change, clock.now().getTime());
    return rows;
  });
}
