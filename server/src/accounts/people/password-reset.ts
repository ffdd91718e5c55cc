// A forgotten password: an operator creates a link, in the dashboard or on the command line, with
// which the person chooses a new one. The link is signed with the person's current password hash,
// so it works once, and nothing is stored.
import { dayMs } from '@trivium/contract/durations';
import type { ResetLink, ResetRequest, ResetState } from '@trivium/contract';
import { audit, type Author, personAuthor } from '../../audit/index.ts';
import { keyedDigest, newId, sameText } from '../../platform/ids.ts';
import { iso, type Runner } from '../../store/index.ts';
import type { AccountsContext } from '../context.ts';
import { linkEnded } from './invitations.ts';
import { noPerson } from './people.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import {
  deleteSessionsBut,
  findPasswordHash,
  findPerson,
  findPersonByEmail,
  lockPerson,
  replacePasswordHash,
} from '../store/people.ts';

const linkTtlMs = dayMs;
const tokenPattern = /^(auth_[0-9a-f]{32})\.([0-9a-z]{1,10})\.([\w-]{43})$/;

export function makePasswordResets(
  { database, clock }: AccountsContext,
  secret: string,
  { hashPassword }: SignIn,
) {
  const open = (token: string) => readToken(database, secret, token, clock.now().getTime());
  return {
    makeLink: (by: Author, personId: string): Promise<ResetLink> =>
      database.transaction(async (tx) => {
        const now = clock.now().getTime();
        const link = await makeResetLink(tx, secret, personId, now);
        const action = 'person.reset_link_created';
        const change = { action, account_id: null, target: personId } as const;
        await audit(tx, by, { ...change, after: { expires_at: link.expires_at } }, now);
        return link;
      }),
    check: async (token: string): Promise<ResetState> => {
      const read = await open(token);
      const person = read && (await findPerson(database, read.personId));
      return { open: person !== undefined, email: person?.email ?? null };
    },
    /** Ends every session of the person. */
    reset: async ({ token, password }: ResetRequest, address: string): Promise<ResetState> => {
      const read = await open(token);
      if (!read) throw linkEnded();
      const { personId, before } = read;
      const after = await hashPassword(password);
      const now = clock.now();
      const at = now.toISOString();
      await database.transaction(async (tx) => {
        const change = { person_id: personId, before, after, at, id: newId('auth') };
        if (!(await lockPerson(tx, personId))) throw linkEnded();
        if (!(await replacePasswordHash(tx, change))) throw linkEnded();
        const ended = await deleteSessionsBut(tx, personId, null);
        await auditReset(tx, { personId, address, ended }, now.getTime());
      });
      return { open: false, email: null };
    },
  };
}

/** For an operator who is locked out. Undefined if no person has this address. */
export async function makeResetLinkFor(on: Runner, secret: string, email: string, now: number) {
  const person = await findPersonByEmail(on, email);
  return person && { person, link: await makeResetLink(on, secret, person.id, now) };
}

async function makeResetLink(
  on: Runner,
  secret: string,
  personId: string,
  now: number,
): Promise<ResetLink> {
  if (!(await findPerson(on, personId))) throw noPerson(personId);
  const expiresAt = now + linkTtlMs;
  const time = expiresAt.toString(36);
  const proof = proofOf(secret, personId, time, await findPasswordHash(on, personId));
  return {
    token: `${personId}.${time}.${proof}`,
    expires_at: iso(expiresAt),
  };
}

/** The person of a valid link, and the hash of the password that it replaces. */
async function readToken(on: Runner, secret: string, token: string, now: number) {
  const [, personId, time, proof] = tokenPattern.exec(token) ?? [];
  if (personId === undefined || time === undefined || proof === undefined) return undefined;
  if (Number.parseInt(time, 36) <= now) return undefined;
  const before = await findPasswordHash(on, personId);
  if (!sameText(proof, proofOf(secret, personId, time, before))) return undefined;
  return { personId, before };
}

function proofOf(secret: string, personId: string, time: string, hash: string | null): string {
  return keyedDigest(secret, JSON.stringify(['password reset', personId, time, hash]));
}

async function auditReset(
  tx: Runner,
  { personId, address, ended }: { personId: string; address: string; ended: number },
  at: number,
): Promise<void> {
  const person = await findPerson(tx, personId);
  if (!person) return;
  const change = {
    action: 'person.password_changed',
    account_id: person.account_id,
    target: personId,
  } as const;
  const after = { by_link: true, sessions_ended: ended };
  await audit(tx, personAuthor(person, address), { ...change, after }, at);
}
