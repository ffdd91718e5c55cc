// Runs a program in its own process group, so that it leaves no process running.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dir, '..');
const maxOutputCharacters = 200_000;

interface CommandOptions {
  limitMs: number;
  /** Captures the output instead of showing it. */
  capture?: boolean;
  env?: Record<string, string | undefined>;
  /** The project's root without it. */
  cwd?: string;
}

export interface CommandResult {
  code: number;
  output: string;
  ms: number;
}

const running = new Set<ChildProcess>();

/** Runs until the program exits or the limit is reached; a program ended by a signal gives 1. */
export async function runCommand(
  command: string,
  args: string[],
  { limitMs, capture = false, env = process.env, cwd = projectRoot }: CommandOptions,
): Promise<CommandResult> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  let output = '';
  const keep = (text: Buffer) => {
    output = (output + text.toString()).slice(-maxOutputCharacters);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const impatience = setTimeout(() => endGroup(child), limitMs);
  const code = await waitForEnd(child, (reason) => keep(Buffer.from(reason)));
  clearTimeout(impatience);
  running.delete(child);
  endGroup(child);
  return { code, output: output.trim(), ms: performance.now() - began };
}

/** Ends every running program, after an interrupt. */
export function endCommands(): void {
  for (const child of running) endGroup(child);
}

function waitForEnd(child: ChildProcess, explain: (reason: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      explain(error.message);
      resolve(1);
    });
    // All output has arrived at `close`; `exit` may come earlier.
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group is already gone, which is the usual case.
  }
}
