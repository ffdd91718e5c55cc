// Who an id token speaks of. A subject that signed in before is the same person again, whatever its
// address says now; a new one may become the person whose address it proves, unless that person
// has a subject already.
import { z } from 'zod';
import type { Database, Runner } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import {
  findSubjectOwner,
  insertSubject,
  listSubjects,
  lockPersonWith,
} from '../store/subjects.ts';

/** The claims of a token whose signature, audience and nonce were checked. */
const Claims = z.object({
  iss: z.string().min(1).max(2000),
  sub: z.string().min(1).max(255),
  email: z.email().max(320).optional(),
  email_verified: z.unknown().optional(),
});

export type Claimed =
  { kind: 'person'; subject: string; email: string } | { kind: 'refused'; reason: string };

export async function claimSubject(database: Database, claims: unknown): Promise<Claimed> {
  const read = Claims.safeParse(claims);
  if (!read.success) return refused('the id token has no readable issuer, subject or address');
  const { iss, sub, email_verified } = read.data;
  const email = email_verified === true ? read.data.email?.toLowerCase() : undefined;
  const who = { issuer: `${iss}|`, subject: `${iss}|${sub}`, email };
  return database.transaction((tx) => personBehind(tx, who));
}

interface Who {
  issuer: string;
  subject: string;
  /** Only when the identity provider has verified it. */
  email: string | undefined;
}

async function personBehind(tx: Runner, { issuer, subject, email }: Who): Promise<Claimed> {
  const known = await findSubjectOwner(tx, subject);
  if (known !== undefined) return { kind: 'person', subject, email: known };
  if (email === undefined) return refused('the id token carries no verified address');
  const person_id = await lockPersonWith(tx, email);
  // The library answers that this person was not invited.
  if (person_id === undefined) return { kind: 'person', subject, email };
  const subjects = await listSubjects(tx, person_id);
  if (subjects.includes(subject)) return { kind: 'person', subject, email };
  if (subjects.some((one) => one.startsWith(issuer))) {
    return refused('the address belongs to a person who signs in as another subject');
  }
  const at = new Date().toISOString();
  await insertSubject(tx, { id: newId('auth'), person_id, subject, at });
  return { kind: 'person', subject, email };
}

function refused(reason: string): Claimed {
  return { kind: 'refused', reason };
}
