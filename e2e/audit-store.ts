// Runs the audit of the books, as an operator would, over the store of a gateway.
import { tmpdir } from 'node:os';
import { runChild } from './child-process.ts';

/** Throws with the audit's own words when the books are wrong. */
export async function auditStore(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const child = runChild('server/src/app/commands/audit.ts', env, tmpdir());
  if ((await child.ended()) !== 0) throw new Error(`The books are wrong:\n${child.output()}`);
}
