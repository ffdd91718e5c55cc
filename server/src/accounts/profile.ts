// The profile of the person who is signed in: the name, and the browsers with a session.
import { GatewayError } from '@trivium/contract';
import type { Person, Profile, ProfileChange } from '@trivium/contract';
import { audit } from '../audit/index.ts';
import type { AuditedChange, Author } from '../audit/core/index.ts';
import type { AccountsContext } from './context.ts';
import { noPerson, showPerson } from './people.ts';
import { findPerson } from './store/people.ts';
import {
  deleteSession,
  deleteSessionsBut,
  findPasswordHash,
  listSessions,
  putPersonName,
} from './store/roles.ts';

type ProfileContext = Pick<AccountsContext, 'database' | 'clock'>;

const maxSessions = 200;

export async function readProfile(
  { database, clock }: ProfileContext,
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
  { database, clock }: ProfileContext,
  by: Author,
  person: Person,
  { name }: ProfileChange,
): Promise<Person> {
  const { id, account_id } = person;
  const now = clock.now();
  return database.transaction(async (tx) => {
    const before = await findPerson(tx, id);
    if (!before) throw noPerson(id);
    await putPersonName(tx, id, { name, at: now.toISOString() });
    const change = { action: 'person.changed', account_id, target: id } as const;
    const after = { name };
    await audit(tx, by, { ...change, before: { name: before.name }, after }, now.getTime());
    return showPerson({ ...before, name });
  });
}

export async function endSession(
  { database, clock }: ProfileContext,
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
  context: ProfileContext,
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
