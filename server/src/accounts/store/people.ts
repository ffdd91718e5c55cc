// People who may sign in to the dashboard, and their invitations.
import { orNull, type RowOf, type Runner, table, text, whole } from '../../store/index.ts';

const people = table('people', {
  id: text,
  name: text,
  email: text,
  role: text,
  account_id: orNull(text),
  created_at: text,
});
const invite = {
  id: text,
  label: orNull(text),
  role: text,
  account_id: orNull(text),
  created_at: whole,
  expires_at: orNull(whole),
};
const invites = table('invites', invite);

export type PersonRow = ReturnType<typeof people.read>;
export type InviteRow = RowOf<typeof invite>;

export async function countPeople(on: Runner): Promise<number> {
  const [row] = await on.run('select count(*) as count from people');
  return Number(row?.['count'] ?? 0);
}

/** Set-up links are the invitations that never expire. */
export async function countUsedSetUps(on: Runner): Promise<number> {
  const [row] = await on.run(
    'select count(*) as count from invites where expires_at is null and used_at is not null',
  );
  return Number(row?.['count'] ?? 0);
}

export async function listPeople(on: Runner, limit: number): Promise<PersonRow[]> {
  const rows = await on.run(
    `select ${people.columns} from people order by created_at desc, id limit $1`,
    [limit],
  );
  return rows.map(people.read);
}

/** False if a person with this address already exists. */
export const insertPerson = people.insertNew('email', {
  email_verified: '1',
  updated_at: 'created_at',
});

/** The schema also deletes the sessions of the person. */
export async function deletePerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`delete from people where id = $1 returning ${people.columns}`, [id]);
  return row && people.read(row);
}

export async function findPerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`select ${people.columns} from people where id = $1`, [id]);
  return row && people.read(row);
}

export async function findPersonByEmail(on: Runner, email: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`select ${people.columns} from people where email = $1`, [email]);
  return row && people.read(row);
}

/** False if an invitation with this digest already exists. */
export const insertInvite = table('invites', { hash: text, ...invite }).insertNew('hash');

export async function isOpenInvite(on: Runner, hash: string, at: number): Promise<boolean> {
  const rows = await on.run(
    `select id from invites
     where hash = $1 and used_at is null and (expires_at is null or expires_at > $2)`,
    [hash, at],
  );
  return rows.length === 1;
}

/** Marks an invitation as used. Undefined if it is used, expired or unknown. */
export async function takeInvite(
  on: Runner,
  hash: string,
  at: number,
): Promise<InviteRow | undefined> {
  const [row] = await on.run(
    `update invites set used_at = $1
     where hash = $2 and used_at is null and (expires_at is null or expires_at > $3)
     returning ${invites.columns}`,
    [at, hash, at],
  );
  return row && invites.read(row);
}

export async function listOpenInvites(on: Runner, at: number, limit: number): Promise<InviteRow[]> {
  const rows = await on.run(
    `select ${invites.columns} from invites
     where used_at is null and expires_at > $1 order by created_at desc limit $2`,
    [at, limit],
  );
  return rows.map(invites.read);
}

/** A set-up link does not expire. Its row records that it was used. */
export async function deleteOldInvites(on: Runner, endedBefore: number): Promise<number> {
  await on.run('delete from invites where expires_at < $1', [endedBefore]);
  return 0;
}

/** Undefined if it was used or is unknown. */
export async function deleteInvite(on: Runner, id: string): Promise<InviteRow | undefined> {
  const [row] = await on.run(
    `delete from invites where id = $1 and used_at is null
     returning ${invites.columns}`,
    [id],
  );
  return row && invites.read(row);
}
