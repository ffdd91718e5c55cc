// The subjects of the identity provider; each belongs to one person. The states of completed
// sign-ons are kept until they would have expired anyway.
import type { Runner } from '../../store/index.ts';
import { hourMs } from '@trivium/contract/durations';

/** The name of the identity provider in the sign-in library. */
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

/** Locks the person, so that two subjects cannot claim one address at the same time. */
export async function lockPersonWith(on: Runner, email: string): Promise<string | undefined> {
  const [row] = await on.run(`select id from people where email = $1${on.lock('for update')}`, [
    email,
  ]);
  return row && String(row['id']);
}

export async function listSubjects(on: Runner, personId: string): Promise<string[]> {
  const rows = await on.run(
    'select provider_account_id from credentials where person_id = $1 and provider_id = $2',
    [personId, oidcProviderId],
  );
  return rows.map((row) => String(row['provider_account_id']));
}

/** The provider's tokens are not stored, because the gateway does not call it after a sign-in. */
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

/** Longer than the library accepts a state. */
const keptMs = hourMs;

/**
 * True for exactly one caller. Only verified id tokens reach this, so a stranger cannot add rows.
 */
export async function claimState(on: Runner, digest: string, now: Date): Promise<boolean> {
  const at = now.toISOString();
  await on.run('delete from verifications where expires_at <= $1', [at]);
  const rows = await on.run(
    `insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ($1, 'single sign-on', '', $2, $3, $3) on conflict (id) do nothing returning id`,
    [digest, new Date(now.getTime() + keptMs).toISOString(), at],
  );
  return rows.length === 1;
}
