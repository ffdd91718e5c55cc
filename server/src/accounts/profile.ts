// The profile of the person who is signed in: the name, and the browsers with a session.
import { GatewayError } from '@trivium/contract';
import type { Person, Profile, ProfileChange } from '@trivium/contract';
import type { AccountsContext } from './context.ts';
import { noPerson, showPerson } from './people.ts';
import {
  deleteSession,
  deleteSessionsBut,
  findPasswordHash,
  findPerson,
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
  person: Person,
  { name }: ProfileChange,
): Promise<Person> {
  await putPersonName(database, person.id, { name, at: clock.now().toISOString() });
  const row = await findPerson(database, person.id);
  if (!row) throw noPerson(person.id);
  return showPerson(row);
}

export async function endSession(
  { database }: Pick<ProfileContext, 'database'>,
  person: Person,
  id: string,
): Promise<object> {
  if (await deleteSession(database, person.id, id)) return { id };
  throw new GatewayError('not_found', `You have no session ${id}.`);
}

export async function endOtherSessions(
  context: ProfileContext,
  person: Person,
  sessionId: string | undefined,
): Promise<Profile> {
  await deleteSessionsBut(context.database, person.id, sessionId ?? null);
  return readProfile(context, person, sessionId);
}
