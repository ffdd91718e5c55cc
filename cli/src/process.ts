// The command line as a process: provides the streams for a run, and ends with its exit code.
import { createInterface } from 'node:readline';
import type { Programs } from './programs.ts';
import { run } from './run.ts';

/** `programs` are those of the gateway, if this command line comes with one. */
export async function runInProcess(programs: Programs | undefined): Promise<void> {
  const stop = new AbortController();
  // A gateway on this machine is not behind a proxy. The runtime reads this variable at each call.
  const direct = [process.env['NO_PROXY'] ?? process.env['no_proxy'], '127.0.0.1,localhost,[::1]'];
  process.env['NO_PROXY'] = process.env['no_proxy'] = direct.filter(Boolean).join(',');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) stopOn(signal, stop);
  // A reader such as head closes the pipe when it has read enough. That is not a failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : 1);
    });
  }

  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    ask: (question, options) => ask(question, stop, options),
    readLine,
    inIsTerminal: process.stdin.isTTY,
    outIsTerminal: process.stdout.isTTY,
    errIsTerminal: process.stderr.isTTY,
    columns: process.stdout.columns || 80,
    signal: stop.signal,
    programs,
  });
}

/** A launcher passes on the interrupt that a terminal also sends to this process. */
const sameInterruptMs = 500;

/** The first signal asks the command to end; a later one ends the process immediately. */
function stopOn(signal: NodeJS.Signals, stop: AbortController): void {
  let firstMs: number | undefined;
  process.on(signal, () => {
    const now = performance.now();
    firstMs ??= now;
    stop.abort(new Error(signal));
    if (now - firstMs > sameInterruptMs) process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

/** What was typed after the end of the last line. */
let typedAhead = '';
const maxTypedChars = 10_000;

async function ask(
  question: string,
  stop: AbortController,
  { hidden = false }: { hidden?: boolean } = {},
): Promise<string> {
  const { stdin, stderr } = process;
  // Set before the question, because the terminal would show what is typed in between.
  if (hidden) stdin.setRawMode(true);
  stderr.write(question);
  try {
    return await typedLine(stop);
  } finally {
    stdin.pause();
    if (hidden) {
      stdin.setRawMode(false);
      stderr.write('\n');
    }
  }
}

/** Reads one line. The keys that a terminal in raw mode does not handle are handled here. */
function typedLine(stop: AbortController): Promise<string> {
  const { stdin } = process;
  return new Promise((resolve, reject) => {
    let line = '';
    const end = (settle: () => void) => {
      stdin.off('data', read).off('end', finish);
      stop.signal.removeEventListener('abort', interrupt);
      settle();
    };
    const finish = () => end(() => resolve(line));
    const interrupt = () => end(() => reject(stop.signal.reason as Error));
    const read = (chunk: Buffer | string) => {
      const keys = [...chunk.toString()];
      for (const [index, key] of keys.entries()) {
        if (key === '\u0003') return stop.abort(new Error('SIGINT'));
        if (key === '\r' || key === '\n' || key === '\u0004') {
          typedAhead = keys.slice(index + 1).join('');
          return finish();
        }
        if (key === '\u007f' || key === '\b') line = line.slice(0, -1);
        else if (key >= ' ' && line.length < maxTypedChars) line += key;
      }
    };
    stop.signal.addEventListener('abort', interrupt, { once: true });
    if (stop.signal.aborted) return interrupt();
    stdin.on('data', read).once('end', finish);
    if (typedAhead !== '') read(typedAhead);
    else stdin.resume();
  });
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}
