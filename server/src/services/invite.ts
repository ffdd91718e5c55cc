// How people come in: a set-up link for the first operator, invitations for everyone after.
import type {
  Invite,
  InviteRequest,
  JoinRequest,
  NewInvite,
  PeopleList,
  Role,
} from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { keyedDigest, newId, newInviteToken, sha256Hex } from '../platform/ids.ts';
import { findAccount } from '../store/accounts.ts';
import {
  countPeople,
  countUsedSetUps,
  deleteInvite,
  deletePerson,
  giveInviteBack,
  insertInvite,
  listOpenInvites,
  listPeople,
  takeInvite,
} from '../store/people.ts';
import type { InviteRow } from '../store/people.ts';
import type { House } from './house.ts';
import type { SignIn } from './sign-in.ts';

const invite_lasts_ms = 7 * 86_400_000;
const max_listed = 500;

/**
 * The token of the set-up link while there is no person. It is made from the secret, so that every
 * gateway and every start before the first operator shows the same one; once it was used and all
 * people were removed, the next start shows another, and the old one stays used.
 */
export async function prepareSetUp(
  { database, clock }: Pick<House, 'database' | 'clock'>,
  secret: string,
): Promise<string | undefined> {
  if ((await countPeople(database)) > 0) return undefined;
  const used = await countUsedSetUps(database);
  const token = keyedDigest(secret, `set-up link ${used} of the first operator`);
  const invite = { id: newId('inv'), role: 'operator', account_id: null, expires_at: null };
  const created_at = clock.now().getTime();
  await insertInvite(database, { ...invite, hash: sha256Hex(token), created_at });
  return token;
}

export async function join(house: House, sign_in: SignIn, asked: JoinRequest): Promise<void> {
  const { token, ...person } = asked;
  const hash = sha256Hex(token);
  const invite = await takeInvite(house.database, hash, house.clock.now().getTime());
  if (!invite) {
    const message = 'This link was used, has expired, or is not complete. Ask for a new one.';
    throw new GatewayError('not_found', message);
  }
  const { role, account_id } = invite;
  try {
    if (await sign_in.addPerson({ ...person, role: role as Role, account_id })) return;
  } catch (error) {
    await giveInviteBack(house.database, hash);
    throw error;
  }
  await giveInviteBack(house.database, hash);
  const message = 'Somebody with this email address is here already. Sign in instead.';
  const issues = [{ path: 'email', code: 'taken', message }];
  throw new GatewayError('invalid_request', message, { issues });
}

export async function invite(house: House, asked: InviteRequest): Promise<NewInvite> {
  const account_id = asked.role === 'operator' ? null : (asked.account_id ?? '');
  if (account_id !== null && !(await findAccount(house.database, account_id))) {
    const message = 'Name the account this member belongs to.';
    const issues = [{ path: 'account_id', code: 'unknown', message }];
    throw new GatewayError('invalid_request', message, { issues });
  }
  const token = newInviteToken();
  const created_at = house.clock.now().getTime();
  const row = {
    id: newId('inv'),
    role: asked.role,
    account_id,
    created_at,
    expires_at: created_at + invite_lasts_ms,
  };
  await insertInvite(house.database, { ...row, hash: sha256Hex(token) });
  return { ...showInvite(row), token };
}

export async function readPeople(house: House): Promise<PeopleList> {
  const now = house.clock.now().getTime();
  const people = await listPeople(house.database, max_listed);
  const invites = await listOpenInvites(house.database, now, max_listed);
  return {
    people: people.map((person) => ({ ...person, role: person.role as Role })),
    invites: invites.map(showInvite),
  };
}

export async function removePerson(house: House, id: string): Promise<object> {
  if (await deletePerson(house.database, id)) return { id };
  throw new GatewayError('not_found', `There is nobody with the id ${id}.`);
}

export async function withdrawInvite(house: House, id: string): Promise<object> {
  if (await deleteInvite(house.database, id)) return { id };
  throw new GatewayError('not_found', `There is no open invitation ${id}.`);
}

function showInvite({ role, created_at, expires_at, ...row }: InviteRow): Invite {
  return {
    ...row,
    role: role as Role,
    created_at: new Date(created_at).toISOString(),
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
  };
}
