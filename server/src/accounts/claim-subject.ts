// Finds the person for an id token. A subject that signed in before is the same person, even with a
// new email address. A new subject is linked to the person with its verified address, unless that
// person already has a subject.
import { z } from 'zod';
import { audit } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Runner } from '../store/index.ts';
import { newId, sha256Hex } from '../platform/ids.ts';
import { signInAddress, signInState } from './sign-in-audit.ts';
import { claimState } from './store/subjects.ts';
import { findSubjectOwner, insertSubject, listSubjects, lockPersonWith } from './store/subjects.ts';

/** The claims of a token whose signature, audience and nonce were verified. */
const Claims = z.object({
  iss: z.string().min(1).max(2000),
  sub: z.string().min(1).max(255),
  email: z.email().max(320).optional(),
  email_verified: z.unknown().optional(),
});

type SubjectOutcome =
  | { kind: 'person'; subject: string; email: string }
  | { kind: 'refused'; reason: string };

export async function claimSubject(
  { database, clock }: { database: Database; clock: Clock },
  claims: unknown,
): Promise<SubjectOutcome> {
  const read = Claims.safeParse(claims);
  if (!read.success) return refused('the id token has no readable issuer, subject or address');
  const { iss, sub, email_verified } = read.data;
  const state = signInState();
  const email = email_verified === true ? read.data.email?.toLowerCase() : undefined;
  const identity = { issuer: `${iss}|`, subject: `${iss}|${sub}`, email };
  return database.transaction(async (tx) => {
    const now = clock.now();
    // The library keeps the state in the browser, which could send it again.
    if (state === undefined || !(await claimState(tx, sha256Hex(state), now))) {
      return refused('this sign-in was completed before');
    }
    return findPerson(tx, identity, now);
  });
}

interface Identity {
  issuer: string;
  subject: string;
  /** Set only if the identity provider has verified it. */
  email: string | undefined;
}

async function findPerson(
  tx: Runner,
  { issuer, subject, email }: Identity,
  now: Date,
): Promise<SubjectOutcome> {
  const known = await findSubjectOwner(tx, subject);
  if (known !== undefined) return { kind: 'person', subject, email: known };
  if (email === undefined) return refused('the id token carries no verified address');
  const personId = await lockPersonWith(tx, email);
  // The library then rejects the sign-in, because this person was not invited.
  if (personId === undefined) return { kind: 'person', subject, email };
  const subjects = await listSubjects(tx, personId);
  if (subjects.includes(subject)) return { kind: 'person', subject, email };
  if (subjects.some((one) => one.startsWith(issuer))) {
    return refused('the address belongs to a person who signs in as another subject');
  }
  const id = newId('auth');
  await insertSubject(tx, { id, person_id: personId, subject, at: now.toISOString() });
  const by = { kind: 'person', id: personId, name: email, address: signInAddress() } as const;
  const change = { action: 'person.linked', account_id: null, target: personId } as const;
  await audit(tx, by, { ...change, after: { subject } }, now.getTime());
  return { kind: 'person', subject, email };
}

function refused(reason: string): SubjectOutcome {
  return { kind: 'refused', reason };
}
