// Runs the audit command, as an operator would, on the store of a gateway.
import { tmpdir } from 'node:os';
import { runChild } from './child-process.ts';

/** Throws with the output of the audit when it finds a fault. */
export async function auditStore(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const child = runChild('server/src/app/commands/audit.ts', env, tmpdir());
  if ((await child.ended()) !== 0) throw new Error(`The audit found faults:\n${child.output()}`);
}
