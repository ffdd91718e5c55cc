// Runs commands on the store of a gateway, as an operator would.
import { tmpdir } from 'node:os';
import { runChild } from './child-process.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Throws with the output of the audit when it finds a fault. */
export async function auditStore(env: Env): Promise<void> {
  const { code, output } = await runOnStore('audit', env);
  if (code !== 0) throw new Error(`The audit found faults:\n${output}`);
}

/** A backup, a restore or a migration of the embedded store in this folder. */
export const maintain = (dataDir: string, ...args: string[]) =>
  runOnStore('maintain', { TRIVIUM_DATA_DIR: dataDir }, ...args);

export async function runOnStore(command: 'audit' | 'maintain', env: Env, ...args: string[]) {
  const child = runChild(`server/src/app/commands/${command}.ts`, env, tmpdir(), args);
  return { code: await child.ended(), output: child.output() };
}
