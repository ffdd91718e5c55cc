// Which person a subject of the identity provider is: each subject is one person.
import type { Runner } from '../platform/database.ts';

/** What the sign-in library calls the one identity provider. */
export const oidcProviderId = 'oidc';

export async function findSubjectOwner(on: Runner, subject: string): Promise<string | undefined> {
  const [row] = await on.run(
    `select people.email as email from credentials
     join people on people.id = credentials.person_id
     where credentials.provider_id = $1 and credentials.provider_account_id = $2`,
    [oidcProviderId, subject],
  );
  return row && String(row['email']);
}

/** The person is locked, so that two subjects cannot take one address at the same time. */
export async function lockPersonWith(on: Runner, email: string): Promise<string | undefined> {
  const [row] = await on.run(`select id from people where email = $1${on.lock('for update')}`, [
    email,
  ]);
  return row && String(row['id']);
}

export async function listSubjects(on: Runner, person_id: string): Promise<string[]> {
  const rows = await on.run(
    'select provider_account_id from credentials where person_id = $1 and provider_id = $2',
    [person_id, oidcProviderId],
  );
  return rows.map((row) => String(row['provider_account_id']));
}

/** The provider's tokens are not kept: nothing is asked of it after a sign-in. */
export async function insertSubject(
  on: Runner,
  row: { id: string; person_id: string; subject: string; at: string },
): Promise<void> {
  await on.run(
    `insert into credentials
       (id, person_id, provider_id, provider_account_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [row.id, row.person_id, oidcProviderId, row.subject, row.at, row.at],
  );
}
