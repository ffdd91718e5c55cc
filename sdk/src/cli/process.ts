// The command line as a process: gives the run its streams, and ends with its exit code.
import type { Programs } from './programs.ts';
import { run } from './run.ts';

/** `programs` are those of the gateway, where this command line comes with one. */
export async function runInProcess(programs: Programs | undefined): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
  }
  // A reader that has seen enough, such as head, closes the pipe; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });

  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY,
    errIsTerminal: process.stderr.isTTY,
    columns: process.stdout.columns || 80,
    signal: stop.signal,
    programs,
  });
}
