// Invitations: a set-up link for the first operator, and invitations for all other people.
import { dayMs } from '@trivium/contract/durations';
import {
  conflict,
  GatewayError,
  invalidPart,
  type Invite,
  type InviteRequest,
  type InviteState,
  type JoinRequest,
  type NewInvite,
  type PeopleList,
  type Role,
} from '@trivium/contract';
import { audit, type Author, bootstrap, personAuthor } from '../../audit/index.ts';
import { keyedDigest, newId, randomToken, sha256Hex } from '../../platform/ids.ts';
import { findAccount } from '../store/accounts.ts';
import {
  countPeople,
  countUsedSetUps,
  deleteInvite,
  insertInvite,
  insertPerson,
  type InviteRow,
  isOpenInvite,
  listOpenInvites,
  listPeople,
  replacePasswordHash,
  takeInvite,
} from '../store/people.ts';
import { iso, type Runner } from '../../store/index.ts';
import type { AccountsContext } from '../context.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

const inviteTtlMs = 7 * dayMs;
const maxListed = 500;
/** As many as the list of open invitations shows. */
const maxOpenInvites = maxListed;

/**
 * The token of the set-up link while there is no person. It is derived from the secret, so every
 * gateway and every start shows the same link until it is used. If all people were removed since
 * then, the next start shows a new link, and the old one remains used.
 */
export async function prepareSetUp(
  { database, clock }: AccountsContext,
  secret: string,
): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    if ((await countPeople(tx)) > 0) return undefined;
    const used = await countUsedSetUps(tx);
    const token = keyedDigest(secret, `set-up link ${used} of the first operator`);
    await addInvite(tx, bootstrap, {
      id: newId('inv'),
      hash: sha256Hex(token),
      label: null,
      role: 'operator',
      account_id: null,
      created_at: clock.now().getTime(),
      expires_at: null,
    });
    return token;
  });
}

/** Writes the invitation, unless one with this digest exists. */
async function addInvite(tx: Runner, by: Author, row: InviteRow & { hash: string }): Promise<void> {
  if (!(await insertInvite(tx, row))) return;
  const { hash: _hash, ...invite } = row;
  const change = { action: 'invite.created', account_id: row.account_id, target: row.id } as const;
  await audit(tx, by, { ...change, after: showInvite(invite) }, row.created_at);
}

/** The person, the password and the end of the invitation are written together. */
export async function join(
  { database, clock }: AccountsContext,
  signIn: Pick<SignIn, 'hashPassword'>,
  { token, name, email: typed, password: chosen }: JoinRequest,
  address: string,
): Promise<void> {
  const hash = sha256Hex(token);
  // Checked first, so that only the holder of a link can make the gateway hash a password.
  if (!(await isOpenInvite(database, hash, clock.now().getTime()))) throw linkEnded();
  const password = await signIn.hashPassword(chosen);
  const now = clock.now();
  await database.transaction(async (tx) => {
    const invite = await takeInvite(tx, hash, now.getTime());
    if (!invite) throw linkEnded();
    const { role, account_id } = invite;
    const at = now.toISOString();
    const person = { id: newId('auth'), name, email: typed.toLowerCase(), role, account_id };
    if (!(await insertPerson(tx, { ...person, created_at: at }))) {
      const message = 'A person with this email address exists already. Sign in instead.';
      throw invalidPart('email', 'taken', message);
    }
    const { id, email } = person;
    const credential = { id: newId('auth'), person_id: id, before: null, after: password, at };
    await replacePasswordHash(tx, credential);
    const change = { action: 'person.joined', account_id, target: id } as const;
    const by = personAuthor(person, address);
    await audit(tx, by, { ...change, after: { email, role } }, now.getTime());
  });
}

/** For a link of an invitation or of a new password. */
export function linkEnded(): GatewayError {
  const message = 'This link was used, has expired, or is incomplete. Ask for a new one.';
  return new GatewayError('not_found', message);
}

export async function checkInvite(
  { database, clock }: AccountsContext,
  token: string,
): Promise<InviteState> {
  return { open: await isOpenInvite(database, sha256Hex(token), clock.now().getTime()) };
}

export async function invite(
  context: AccountsContext,
  by: Author,
  request: InviteRequest,
): Promise<NewInvite> {
  const accountId = await checkMemberAccount(context.database, request.role, request.account_id);
  const token = randomToken();
  const createdAt = context.clock.now().getTime();
  const row = {
    id: newId('inv'),
    label: request.label ?? null,
    role: request.role,
    account_id: accountId,
    created_at: createdAt,
    expires_at: createdAt + inviteTtlMs,
  };
  await context.database.transaction(async (tx) => {
    const open = await listOpenInvites(tx, createdAt, maxOpenInvites);
    if (open.length >= maxOpenInvites) {
      throw conflict(`There are ${maxOpenInvites} open invitations already. Withdraw one first.`);
    }
    await addInvite(tx, by, { ...row, hash: sha256Hex(token) });
  });
  return { ...showInvite(row), token };
}

/** Operators belong to no account. */
export async function checkMemberAccount(
  on: Runner,
  role: Role,
  accountId: string | undefined,
): Promise<string | null> {
  if (role === 'operator') return null;
  if (accountId !== undefined && (await findAccount(on, accountId))) return accountId;
  throw invalidPart('account_id', 'unknown', 'Name the account this person belongs to.');
}

export async function readPeople(context: AccountsContext): Promise<PeopleList> {
  const now = context.clock.now().getTime();
  const people = await listPeople(context.database, maxListed);
  const invites = await listOpenInvites(context.database, now, maxListed);
  return {
    people: people.map((person) => ({ ...person, role: person.role as Role })),
    invites: invites.map(showInvite),
  };
}

export async function withdrawInvite(
  { database, clock }: AccountsContext,
  by: Author,
  id: string,
): Promise<object> {
  return database.transaction(async (tx) => {
    const row = await deleteInvite(tx, id);
    if (!row) throw new GatewayError('not_found', `There is no open invitation ${id}.`);
    const { account_id } = row;
    const change = { action: 'invite.withdrawn', account_id, target: id } as const;
    await audit(tx, by, { ...change, before: showInvite(row) }, clock.now().getTime());
    return { id };
  });
}

function showInvite({ role, created_at, expires_at, ...row }: InviteRow): Invite {
  return {
    ...row,
    role: role as Role,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
  };
}
