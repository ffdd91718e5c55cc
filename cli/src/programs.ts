// The programs of the gateway that the command line can start. A clone and a release have them; the
// client package does not.
import { spawn } from 'node:child_process';

export type ProgramName = 'serve' | 'audit' | 'maintain';

export interface Launch {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Asks the program to stop. */
  signal: AbortSignal;
}

export interface Programs {
  /** The command line that starts a program as a separate process. */
  commandLine: (name: ProgramName, args: readonly string[]) => string[];
  /** Runs a program on this terminal and resolves to its exit code. */
  run: (name: ProgramName, launch: Launch) => Promise<number>;
}

/** Starts a process on this terminal and resolves to its exit code. */
export function runProcess(
  [command = '', ...words]: readonly string[],
  { env, signal }: Pick<Launch, 'env' | 'signal'>,
): Promise<number> {
  const child = spawn(command, words, { env, stdio: 'inherit' });
  // A terminal also sends its interrupt to the child. This process must not end before the child.
  const pass = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', pass, { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
