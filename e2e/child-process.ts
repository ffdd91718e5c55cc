// Runs a program of the project as a child process: clean environment, bounded output and lifetime.
import { join, resolve } from 'node:path';
import { refuseSecrets, secretsOf } from './secrets.ts';
import { waitFor } from './wait-for.ts';

export type Child = {
  readonly pid: number;
  /** The output so far; only the latest part if it is long. */
  output: () => string;
  running: () => boolean;
  /** The peak memory, as the operating system counts it. */
  peakMemoryBytes: () => Promise<number>;
  /** Waits for a pattern in the output and returns its first group. */
  waitFor: (pattern: RegExp) => Promise<string>;
  /** Waits for the end and returns the exit code. */
  ended: () => Promise<number>;
  /** Sends a signal, waits for the end and returns the exit code. */
  end: (signal: NodeJS.Signals) => Promise<number>;
};

/**
 * Most gateways of tests live for seconds, and optimising their code takes three tenths of their
 * processor time. In the long tests they run as in production.
 */
const engine = process.env['TRIVIUM_TEST_LONG'] === 'on' ? {} : { BUN_JSC_useDFGJIT: '0' };

/** `npm test` has compiled the usual programs, which start in half the time. */
export function commandOf(entry: string): string[] {
  const compiled = process.env['TRIVIUM_TEST_PROGRAMS'];
  return compiled !== undefined && compiledPrograms.test(entry)
    ? [compiled, entry]
    : [process.execPath, '--no-install', resolve(root, entry)];
}

/** Runs a TypeScript file of the project; it inherits only PATH and HOME. */
export function runChild(
  entry: string,
  env: Readonly<Record<string, string | undefined>>,
  workingDir: string,
  args: readonly string[] = [],
): Child {
  const child = Bun.spawn([...commandOf(entry), ...args], {
    cwd: workingDir,
    env: definedOnly({ ...engine, PATH: process.env['PATH'], HOME: process.env['HOME'], ...env }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let text = '';
  let leak: Error | undefined;
  const secrets = secretsOf(env);
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      // All output is checked before it is cut off.
      if (text.length > maxOutputChars) leak ??= findLeak(text, secrets, entry);
      text = text.slice(-maxOutputChars);
    }
  };
  const finished = Promise.all([child.exited, collect(child.stdout), collect(child.stderr)]);
  const running = () => child.exitCode === null && child.signalCode === null;

  const ended = async () => {
    const [code] = await within(endLimitMs, finished, () => {
      child.kill('SIGKILL');
      return new Error(`${entry} did not end in ${endLimitMs} ms. It printed:\n${text}`);
    });
    leak ??= findLeak(text, secrets, entry);
    if (leak !== undefined) throw leak;
    return code;
  };
  return {
    pid: child.pid,
    output: () => text,
    running,
    peakMemoryBytes: async () => {
      const status = await Bun.file(`/proc/${child.pid}/status`).text();
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    },
    waitFor: async (pattern) => {
      const find = async () => {
        const found = pattern.exec(text);
        if (found !== null || running()) return found;
        const code = await ended();
        throw new Error(`${entry} ended with ${code} before ${pattern}. It printed:\n${text}`);
      };
      const [all, group] = (await waitFor(find, { what: `${entry} prints ${pattern}` })) ?? [''];
      return group ?? all;
    },
    ended,
    end: (signal) => {
      if (running()) child.kill(signal);
      return ended();
    },
  };
}

/** They are listed in scripts/build/test-programs.ts. */
const compiledPrograms = /^(server|sandbox)\/src\//;
const root = join(import.meta.dir, '..');
const maxOutputChars = 256 * 1024;
const endLimitMs = 60_000;

function findLeak(text: string, secrets: readonly string[], entry: string): Error | undefined {
  try {
    refuseSecrets(text, secrets, `what ${entry} printed`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(late()), limitMs);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes what the work has opened if it fails. */
export async function orClose<T>(work: Promise<T>, close: () => Promise<unknown>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await close();
    throw error;
  }
}

export function definedOnly(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) given[name] = value;
  return given;
}
