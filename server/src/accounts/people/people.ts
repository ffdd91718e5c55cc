// People: operators change their roles and remove them, of whom at least one operator always remains.
// A person who is signed in has a profile, and browsers with a session.
import {
  conflict,
  GatewayError,
  type Person,
  type PersonChange,
  type Profile,
  type ProfileChange,
  type Role,
} from '@trivium/contract';
import { audit, type AuditedChange, type Author } from '../../audit/index.ts';
import type { AccountsContext } from '../context.ts';
import { checkMemberAccount } from './invitations.ts';
import { revokeGrantsOf } from '../oauth/tokens.ts';
import {
  countPeople,
  deletePerson,
  deleteSession,
  deleteSessionsBut,
  findPasswordHash,
  findPerson,
  listSessions,
  lockOperators,
  lockPerson,
  type PersonRow,
  putPersonNames,
  putRoles,
} from '../store/people.ts';

/** The new role applies from the person's next request. */
export async function changePerson(
  context: AccountsContext,
  by: Author,
  id: string,
  { role, account_id }: PersonChange,
): Promise<Person> {
  const now = context.clock.now();
  const row = await context.database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    // Locked, so that no agent is granted access between the check and this change.
    const before = (await lockPerson(tx, id)) ? await findPerson(tx, id) : undefined;
    if (!before) throw noPerson(id);
    const accountId = await checkMemberAccount(tx, role, account_id);
    if (role !== 'operator') checkNotLast(operators, id);
    // A viewer's agents could spend money that the viewer may not.
    const endsGrants = accountId !== before.account_id || role === 'viewer';
    if (endsGrants) await revokeGrantsOf(tx, by, id, now.getTime());
    await putRoles(tx, [{ id, role, account_id: accountId, updated_at: now.toISOString() }]);
    const after = { ...before, role, account_id: accountId };
    const change = { action: 'person.changed', account_id: accountId, target: id } as const;
    await audit(tx, by, { ...change, before: { ...before }, after }, now.getTime());
    return after;
  });
  return showPerson(row);
}

/** The only person may leave. The next start then shows a set-up link. */
export async function removePerson(
  { database, clock }: AccountsContext,
  by: Author,
  id: string,
): Promise<object> {
  return database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    if ((await countPeople(tx)) > 1) checkNotLast(operators, id);
    const at = clock.now().getTime();
    if (!(await lockPerson(tx, id))) throw noPerson(id);
    await revokeGrantsOf(tx, by, id, at);
    const before = await deletePerson(tx, id);
    if (!before) throw noPerson(id);
    const { account_id } = before;
    const change = { action: 'person.removed', account_id, target: id } as const;
    await audit(tx, by, { ...change, before: { ...before } }, at);
    return { id };
  });
}

function showPerson({ created_at: _since, ...row }: PersonRow): Person {
  return { ...row, role: row.role as Role };
}

export function noPerson(id: string): GatewayError {
  return new GatewayError('not_found', `There is no person ${id}.`);
}

function checkNotLast(operators: readonly string[], id: string): void {
  if (operators.length > 1 || operators[0] !== id) return;
  throw conflict('This is the last operator. Make another person an operator first.');
}

const maxSessions = 200;

export async function readProfile(
  { database, clock }: AccountsContext,
  person: Person,
  sessionId: string | undefined,
): Promise<Profile> {
  const now = clock.now().toISOString();
  const rows = await listSessions(database, person.id, { now, limit: maxSessions });
  return {
    person,
    has_password: (await findPasswordHash(database, person.id)) !== null,
    sessions: rows.map(({ ip_address, user_agent, ...row }) => ({
      ...row,
      current: row.id === sessionId,
      address: ip_address,
      browser: user_agent,
    })),
  };
}

export async function changeProfile(
  { database, clock }: AccountsContext,
  by: Author,
  person: Person,
  { name }: ProfileChange,
): Promise<Person> {
  const { id, account_id } = person;
  const now = clock.now();
  return database.transaction(async (tx) => {
    const before = await findPerson(tx, id);
    if (!before) throw noPerson(id);
    await putPersonNames(tx, [{ id, name, updated_at: now.toISOString() }]);
    const change = { action: 'person.changed', account_id, target: id } as const;
    const names = { before: { name: before.name }, after: { name } };
    await audit(tx, by, { ...change, ...names }, now.getTime());
    return showPerson({ ...before, name });
  });
}

export async function endSession(
  { database, clock }: AccountsContext,
  by: Author,
  person: Person,
  id: string,
): Promise<object> {
  const at = clock.now().getTime();
  return database.transaction(async (tx) => {
    if (!(await deleteSession(tx, person.id, id))) {
      throw new GatewayError('not_found', `You have no session ${id}.`);
    }
    await audit(tx, by, signedOut(person, 1), at);
    return { id };
  });
}

export async function endOtherSessions(
  context: AccountsContext,
  by: Author,
  person: Person,
  sessionId: string | undefined,
): Promise<Profile> {
  const at = context.clock.now().getTime();
  await context.database.transaction(async (tx) => {
    const ended = await deleteSessionsBut(tx, person.id, sessionId ?? null);
    if (ended > 0) await audit(tx, by, signedOut(person, ended), at);
  });
  return readProfile(context, person, sessionId);
}

function signedOut({ id, account_id }: Person, ended: number): AuditedChange {
  return { action: 'person.signed_out', account_id, target: id, after: { sessions_ended: ended } };
}
