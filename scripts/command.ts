// Runs a program of the checks in a process group of its own, so that it leaves nothing running.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const PROJECT_ROOT = join(import.meta.dir, '..');
const MAX_OUTPUT_CHARACTERS = 200_000;

export interface CommandOptions {
  limit_ms: number;
  /** Keeps what the program prints instead of showing it. */
  capture?: boolean;
  env?: Record<string, string | undefined>;
}

export interface CommandResult {
  code: number;
  output: string;
  ms: number;
}

const running = new Set<ChildProcess>();

/** Runs to the end, or to the limit; a program that a signal ended answers 1. */
export async function runCommand(
  command: string,
  args: string[],
  { limit_ms, capture = false, env = process.env }: CommandOptions,
): Promise<CommandResult> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: PROJECT_ROOT,
    env,
    detached: true,
    stdio: capture ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  let output = '';
  const keep = (text: Buffer) => {
    output = (output + text.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const impatience = setTimeout(() => endGroup(child), limit_ms);
  const code = await waitForEnd(child, (reason) => keep(Buffer.from(reason)));
  clearTimeout(impatience);
  running.delete(child);
  endGroup(child);
  return { code, output: output.trim(), ms: performance.now() - began };
}

/** Ends whatever still runs: the checks were interrupted. */
export function endCommands(): void {
  for (const child of running) endGroup(child);
}

function waitForEnd(child: ChildProcess, explain: (reason: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      explain(error.message);
      resolve(1);
    });
    // After `close` all its output is here; `exit` may come before.
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left, which is the usual case.
  }
}
