// People who may sign in to the dashboard, and their invitations.
import { type Row, type Runner, textOrNull, wholeOrNull } from '../../store/index.ts';

export interface PersonRow {
  id: string;
  name: string;
  email: string;
  role: string;
  account_id: string | null;
  created_at: string;
}

export interface InviteRow {
  id: string;
  label: string | null;
  role: string;
  account_id: string | null;
  created_at: number;
  expires_at: number | null;
}

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
    `select ${personColumns} from people order by created_at desc, id limit $1`,
    [limit],
  );
  return rows.map(readPerson);
}

const personColumns = 'id, name, email, role, account_id, created_at';

function readPerson(row: Row): PersonRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    email: String(row['email']),
    role: String(row['role']),
    account_id: textOrNull(row['account_id']),
    created_at: String(row['created_at']),
  };
}

/** False if a person with this address already exists. */
export async function insertPerson(on: Runner, person: PersonRow): Promise<boolean> {
  const rows = await on.run(
    `insert into people
       (id, name, email, email_verified, role, account_id, created_at, updated_at)
     values ($1, $2, $3, 1, $4, $5, $6, $6) on conflict (email) do nothing returning id`,
    [person.id, person.name, person.email, person.role, person.account_id, person.created_at],
  );
  return rows.length === 1;
}

/** The schema also deletes the sessions of the person. */
export async function deletePerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`delete from people where id = $1 returning ${personColumns}`, [id]);
  return row && readPerson(row);
}

export async function findPerson(on: Runner, id: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`select ${personColumns} from people where id = $1`, [id]);
  return row && readPerson(row);
}

export async function findPersonByEmail(on: Runner, email: string): Promise<PersonRow | undefined> {
  const [row] = await on.run(`select ${personColumns} from people where email = $1`, [email]);
  return row && readPerson(row);
}

/** False if an invitation with this digest already exists. */
export async function insertInvite(
  on: Runner,
  invite: InviteRow & { hash: string },
): Promise<boolean> {
  const rows = await on.run(
    `insert into invites (hash, id, role, account_id, created_at, expires_at, label)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (hash) do nothing returning id`,
    [
      ...[invite.hash, invite.id, invite.role, invite.account_id],
      ...[invite.created_at, invite.expires_at, invite.label],
    ],
  );
  return rows.length === 1;
}

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
     returning id, label, role, account_id, created_at, expires_at`,
    [at, hash, at],
  );
  return row && readInvite(row);
}

export async function listOpenInvites(on: Runner, at: number, limit: number): Promise<InviteRow[]> {
  const rows = await on.run(
    `select id, label, role, account_id, created_at, expires_at from invites
     where used_at is null and expires_at > $1 order by created_at desc limit $2`,
    [at, limit],
  );
  return rows.map(readInvite);
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
     returning id, label, role, account_id, created_at, expires_at`,
    [id],
  );
  return row && readInvite(row);
}

function readInvite(row: Row): InviteRow {
  return {
    id: String(row['id']),
    label: textOrNull(row['label']),
    role: String(row['role']),
    account_id: textOrNull(row['account_id']),
    created_at: Number(row['created_at']),
    expires_at: wholeOrNull(row['expires_at']),
  };
}
