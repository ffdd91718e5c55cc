// A measured program: starts it, waits for it, reads its CPU time and memory, and ends it.
import { readdirSync, readFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';

export interface Program {
  url: string;
  /** CPU time so far, in ms, with the processes it runs; undefined if the system does not say. */
  cpuMs: () => number | undefined;
  /** How much of it the runtime has used to compile JavaScript. */
  compilerMs: () => number | undefined;
  memoryBytes: () => number | undefined;
  end: () => Promise<void>;
}

interface ProgramOptions {
  command: readonly [string, ...string[]];
  env?: Readonly<Record<string, string>>;
  /** The URL it listens on, if it does not print it. */
  url?: string;
}

const startLimitMs = 60_000;
const pollMs = 50;
/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

export async function startProgram({ command, env = {}, url }: ProgramOptions): Promise<Program> {
  const [file, ...args] = command;
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.on('error', (error) => (output += error.message));
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const address = await waitForAddress(child, () => output, url);
  const pid = child.pid ?? 0;
  return {
    url: address,
    cpuMs: () => readStat(pid)?.cpuMs,
    compilerMs: () => readStat(pid)?.compilerMs,
    memoryBytes: () => readStat(pid)?.memoryBytes,
    end: () => endProgram(child),
  };
}

async function waitForAddress(
  child: ChildProcess,
  output: () => string,
  known: string | undefined,
): Promise<string> {
  for (let waitedMs = 0; waitedMs < startLimitMs; waitedMs += pollMs) {
    const address = known ?? /listening on (http:\/\/[^\s/]+)/.exec(output())?.[1];
    // Not the home page: a gateway that runs from source would bundle its dashboard for it.
    const there =
      address &&
      (await fetch(`${address}/healthz`).then(
        () => true,
        () => false,
      ));
    if (there) return address;
    if (child.exitCode !== null || child.pid === undefined) break;
    await Bun.sleep(pollMs);
  }
  await endProgram(child);
  throw new Error(`${child.spawnfile} did not start:\n${output().slice(-2000)}`);
}

interface Stat {
  cpuMs: number;
  compilerMs: number;
  memoryBytes: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    const cpuMs = (user + system) * msPerTick;
    const own = { cpuMs, compilerMs: compilerMsOf(pid), memoryBytes: kilobytes * 1024 };
    return childrenOf(pid).reduce((sum, child) => add(sum, readStat(child)), own);
  } catch {
    return undefined;
  }
}

/** Bun names its compiling threads `JITWorker`. */
function compilerMsOf(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((task) => {
    const thread = `/proc/${pid}/task/${task}`;
    const isCompiler = readFileSync(`${thread}/comm`, 'utf8').startsWith('JITWorker');
    return isCompiler ? Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) : 0;
  });
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    (readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
  );
}

function add(one: Stat, other: Stat = { cpuMs: 0, compilerMs: 0, memoryBytes: 0 }): Stat {
  return {
    cpuMs: one.cpuMs + other.cpuMs,
    compilerMs: one.compilerMs + other.compilerMs,
    memoryBytes: one.memoryBytes + other.memoryBytes,
  };
}

function endProgram(child: ChildProcess): Promise<void> {
  const over = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (over) return Promise.resolve();
  const ended = Promise.withResolvers<void>();
  child.once('exit', () => ended.resolve());
  child.kill('SIGKILL');
  return ended.promise;
}
