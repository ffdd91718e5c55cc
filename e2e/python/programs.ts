// Runs Python programs that use our client, with one start of the interpreter and of the client.
import { join } from 'node:path';
import { runToEnd } from '../run-to-end.ts';
import type { Ended } from '../run-to-end.ts';
import { keepCompiled } from './environment.ts';

const runner = join(import.meta.dir, 'run_programs.py');

/** Each file has a process of its own; they run one after the other. */
export async function runPrograms(
  python: string,
  paths: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Ended[]> {
  const command = [python, ...keepCompiled, runner, 'trivium_client', ...paths];
  const { code, out, err } = await runToEnd(command, { cwd, env });
  if (code !== 0) throw new Error(`run_programs.py ended with ${code}:\n${out}${err}`);
  return JSON.parse(out) as Ended[];
}
