// The roles of people, and the sessions and passwords of one person.
import { orNull, query, type Runner, table, text } from '../../store/index.ts';

/**
 * Locked in the order of their ids, so that two gateways cannot each remove one of the last two.
 */
export function lockOperators(on: Runner): Promise<string[]> {
  return query.texts(
    on,
    `select id from people where role = 'operator' order by id${on.lock('for update')}`,
  );
}

export async function putRole(
  on: Runner,
  id: string,
  { role, account_id, at }: { role: string; account_id: string | null; at: string },
): Promise<void> {
  await on.run('update people set role = $1, account_id = $2, updated_at = $3 where id = $4', [
    role,
    account_id,
    at,
    id,
  ]);
}

export async function putPersonName(
  on: Runner,
  id: string,
  { name, at }: { name: string; at: string },
): Promise<void> {
  await on.run('update people set name = $1, updated_at = $2 where id = $3', [name, at, id]);
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
  kept: string | null,
): Promise<number> {
  const rows = await on.run('delete from sessions where person_id = $1 and id <> $2 returning id', [
    personId,
    kept ?? '',
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
