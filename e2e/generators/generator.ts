// What every generator gets, and how its commands are run.
import { runToEnd } from '../run-to-end.ts';

export interface GeneratorInput {
  /** The file that holds the API description of a running gateway. */
  document: string;
  /** The same as OpenAPI 3.0. */
  document30: string;
  /** An empty folder for this generator. */
  folder: string;
  /** The address and the credentials of the gateway, and the recording to transcribe. */
  env: Readonly<Record<string, string | undefined>>;
}

export type Missing = { missing: string };

export interface Generator {
  name: string;
  /** Returns the output of the generated client's program, or what is not installed. */
  run: (input: GeneratorInput) => Promise<string | Missing>;
}

/** Runs a command that must succeed. */
export async function succeed(
  command: readonly string[],
  { env, cwd }: { env: GeneratorInput['env']; cwd: string },
): Promise<string> {
  const { code, out, err } = await runToEnd(command, { cwd, env });
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${out}${err}`);
  return out + err;
}
