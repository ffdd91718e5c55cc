// People who may sign in to the dashboard, their invitations, sessions and passwords.
import { dayMs } from '@trivium/contract/durations';
import { expiring, orNull, query, type Runner, table, text, whole } from '../../store/index.ts';

const allPeople = table('people', {
  id: text,
  name: text,
  email: text,
  role: text,
  account_id: orNull(text),
  created_at: text,
  updated_at: text,
});
const people = allPeople.omit('updated_at');
export const putRoles = allPeople.pick('id', 'role', 'account_id', 'updated_at').update('id');
export const putPersonNames = allPeople.pick('id', 'name', 'updated_at').update('id');

const allInvites = table('invites', {
  hash: text,
  id: text,
  label: orNull(text),
  role: text,
  account_id: orNull(text),
  created_at: whole,
  expires_at: orNull(whole),
});
const invites = allInvites.omit('hash');

export type PersonRow = ReturnType<typeof people.read>;
export type InviteRow = ReturnType<typeof invites.read>;

export function countPeople(on: Runner): Promise<number> {
  return query.number(on, 'select count(*) from people');
}

/** Set-up links are the invitations that never expire. */
export function countUsedSetUps(on: Runner): Promise<number> {
  return query.number(
    on,
    'select count(*) from invites where expires_at is null and used_at is not null',
  );
}

export function listPeople(on: Runner, limit: number): Promise<PersonRow[]> {
  return people.list(on, 'order by created_at desc, id limit $1', [limit]);
}

/** False if a person with this address already exists. */
export const insertPerson = people.insertNew('email', {
  email_verified: '1',
  updated_at: 'created_at',
});

/** The schema also deletes the sessions of the person. */
export function deletePerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  return people.change(on, 'delete from people where id = $1', [id]);
}

export const findPerson = people.by('id');
export const findPersonByEmail = people.by('email');

/** False if an invitation with this digest already exists. */
export const insertInvite = allInvites.insertNew('hash');

export async function isOpenInvite(on: Runner, hash: string, at: number): Promise<boolean> {
  return query.exists(
    on,
    `select id from invites
     where hash = $1 and used_at is null and (expires_at is null or expires_at > $2)`,
    [hash, at],
  );
}

/** Marks an invitation as used. Undefined if it is used, expired or unknown. */
export function takeInvite(on: Runner, hash: string, at: number): Promise<InviteRow | undefined> {
  const take = `update invites set used_at = $1
     where hash = $2 and used_at is null and (expires_at is null or expires_at > $3)`;
  return invites.change(on, take, [at, hash, at]);
}

export async function listOpenInvites(on: Runner, at: number, limit: number): Promise<InviteRow[]> {
  return invites.list(
    on,
    'where used_at is null and expires_at > $1 order by created_at desc limit $2',
    [at, limit],
  );
}

/** A set-up link does not expire. Its row records that it was used. */
export const endedInvites = expiring({
  // For people who ask why a link does not work.
  keptMs: 30 * dayMs,
  table: 'invites',
  key: 'hash',
  since: 'expires_at',
});

/** Undefined if it was used or is unknown. */
export function deleteInvite(on: Runner, id: string): Promise<InviteRow | undefined> {
  return invites.change(on, 'delete from invites where id = $1 and used_at is null', [id]);
}

/**
 * Locked in the order of their ids, so that two gateways cannot each remove one of the last two.
 */
export function lockOperators(on: Runner): Promise<string[]> {
  return query.texts(
    on,
    `select id from people where role = 'operator' order by id${on.lock('for update')}`,
  );
}

const sessions = table('sessions', {
  id: text,
  ip_address: orNull(text),
  user_agent: orNull(text),
  created_at: text,
  expires_at: text,
});

export function listSessions(
  on: Runner,
  personId: string,
  { now, limit }: { now: string; limit: number },
): Promise<ReturnType<typeof sessions.read>[]> {
  return sessions.list(
    on,
    'where person_id = $1 and expires_at > $2 order by created_at desc, id limit $3',
    [personId, now, limit],
  );
}

/** False if the person has no such session. */
export function deleteSession(on: Runner, personId: string, id: string): Promise<boolean> {
  const deleting = 'delete from sessions where person_id = $1 and id = $2 returning id';
  return query.exists(on, deleting, [personId, id]);
}

/** Returns how many were ended. */
export async function deleteSessionsBut(
  on: Runner,
  personId: string,
  current: string | null,
): Promise<number> {
  const rows = await on.run('delete from sessions where person_id = $1 and id <> $2 returning id', [
    personId,
    current ?? '',
  ]);
  return rows.length;
}

export const credentials = table('credentials', {
  id: text,
  person_id: text,
  provider_id: text,
  provider_account_id: text,
  password: orNull(text),
  created_at: text,
  updated_at: text,
});
const passwords = credentials.pick('password');

/** The hash of the person's password. Null if there is none. */
export async function findPasswordHash(on: Runner, personId: string): Promise<string | null> {
  const found = await passwords.find(on, `where person_id = $1 and provider_id = 'credential'`, [
    personId,
  ]);
  return found?.password ?? null;
}

/** Replaces the password if it is still the expected one. Otherwise returns false. */
export function replacePasswordHash(
  on: Runner,
  change: { person_id: string; before: string | null; after: string; at: string; id: string },
): Promise<boolean> {
  const { person_id, before, after, at, id } = change;
  if (before !== null) {
    return query.exists(
      on,
      `update credentials set password = $1, updated_at = $2
       where person_id = $3 and provider_id = 'credential' and password = $4 returning id`,
      [after, at, person_id, before],
    );
  }
  // The caller has locked the person, so that two calls cannot both insert.
  return query.exists(
    on,
    `insert into credentials
       (id, person_id, provider_id, provider_account_id, password, created_at, updated_at)
     select cast($1 as text), cast($2 as text), 'credential', cast($2 as text), cast($3 as text),
       cast($4 as text), cast($4 as text)
     where not exists (select 1 from credentials where person_id = $2
       and provider_id = 'credential') returning id`,
    [id, person_id, after, at],
  );
}

export function lockPerson(on: Runner, id: string): Promise<boolean> {
  return query.exists(on, `select id from people where id = $1${on.lock('for update')}`, [id]);
}
