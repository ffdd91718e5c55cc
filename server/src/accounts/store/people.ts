// People who may sign in to the dashboard, and their invitations.
import { dayMs } from '@trivium/contract/durations';
import { expiring, orNull, query, type Runner, table, text, whole } from '../../store/index.ts';

const people = table('people', {
  id: text,
  name: text,
  email: text,
  role: text,
  account_id: orNull(text),
  created_at: text,
});
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

export async function listPeople(on: Runner, limit: number): Promise<PersonRow[]> {
  return people.list(on, 'order by created_at desc, id limit $1', [limit]);
}

/** False if a person with this address already exists. */
export const insertPerson = people.insertNew('email', {
  email_verified: '1',
  updated_at: 'created_at',
});

/** The schema also deletes the sessions of the person. */
export async function deletePerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  return query.row(
    on,
    people.read,
    `delete from people where id = $1 returning ${people.columns}`,
    [id],
  );
}

export async function findPerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  return people.find(on, 'where id = $1', [id]);
}

export async function findPersonByEmail(on: Runner, email: string): Promise<PersonRow | undefined> {
  return people.find(on, 'where email = $1', [email]);
}

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
export async function takeInvite(
  on: Runner,
  hash: string,
  at: number,
): Promise<InviteRow | undefined> {
  return query.row(
    on,
    invites.read,
    `update invites set used_at = $1
     where hash = $2 and used_at is null and (expires_at is null or expires_at > $3)
     returning ${invites.columns}`,
    [at, hash, at],
  );
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
export async function deleteInvite(on: Runner, id: string): Promise<InviteRow | undefined> {
  return query.row(
    on,
    invites.read,
    `delete from invites where id = $1 and used_at is null
     returning ${invites.columns}`,
    [id],
  );
}
