// The subjects of the identity provider; each belongs to one person. The states of completed
// sign-ons are kept until they would have expired anyway.
import { query, type Runner, table, text } from '../../store/index.ts';
import { credentials } from './roles.ts';
import { hourMs } from '@trivium/contract/durations';

/** The name of the identity provider in the sign-in library. */
export const oidcProviderId = 'oidc';

export async function findSubjectOwner(on: Runner, subject: string): Promise<string | undefined> {
  const [email] = await query.texts(
    on,
    `select people.email from credentials join people on people.id = credentials.person_id
     where credentials.provider_id = $1 and credentials.provider_account_id = $2`,
    [oidcProviderId, subject],
  );
  return email;
}

/** Locks the person, so that two subjects cannot claim one address at the same time. */
export async function lockPersonWith(on: Runner, email: string): Promise<string | undefined> {
  const select = `select id from people where email = $1${on.lock('for update')}`;
  return (await query.texts(on, select, [email]))[0];
}

export function listSubjects(on: Runner, personId: string): Promise<string[]> {
  return query.texts(
    on,
    'select provider_account_id from credentials where person_id = $1 and provider_id = $2',
    [personId, oidcProviderId],
  );
}

const insertRows = credentials.insert();

/** The provider's tokens are not stored, because the gateway does not call it after a sign-in. */
export async function insertSubject(
  on: Runner,
  { subject, at, ...row }: { id: string; person_id: string; subject: string; at: string },
): Promise<void> {
  const provider = { provider_id: oidcProviderId, provider_account_id: subject };
  await insertRows(on, [{ ...row, ...provider, created_at: at, updated_at: at }]);
}

/** Longer than the library accepts a state. */
const keptMs = hourMs;

const insertState = table('verifications', {
  id: text,
  identifier: text,
  value: text,
  expires_at: text,
  created_at: text,
  updated_at: text,
}).insertNew('id');

/**
 * True for exactly one caller. Only verified id tokens reach this, so a stranger cannot add rows.
 */
export async function claimState(on: Runner, digest: string, now: Date): Promise<boolean> {
  const at = now.toISOString();
  await on.run('delete from verifications where expires_at <= $1', [at]);
  return insertState(on, {
    id: digest,
    identifier: 'single sign-on',
    value: '',
    expires_at: new Date(now.getTime() + keptMs).toISOString(),
    created_at: at,
    updated_at: at,
  });
}
