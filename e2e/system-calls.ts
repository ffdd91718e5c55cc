// Records the system calls of a running process with strace, to check the order of syncs and
// sends.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SystemCall = {
  thread: string;
  name: string;
  /** The arguments as strace prints them: file descriptors with their paths, strings in quotes. */
  text: string;
  /** The position at which it began, and at which it returned. */
  began: number;
  returned: number;
  result: string;
};

const traced = 'fsync,fdatasync,pwrite64,pwritev,write,writev,sendto,sendmsg,recvfrom,recvmsg,read';
const attachLimitMs = 20_000;
const pollMs = 20;

/** What to do where strace is missing or may not attach to a process. */
export async function findMissingTracer(): Promise<string | undefined> {
  if (Bun.which('strace') === null) return 'install strace';
  const sleeper = Bun.spawn(['sleep', '60']);
  try {
    await recordSystemCalls(sleeper.pid, () => Promise.resolve());
    return undefined;
  } catch {
    return 'allow strace to attach to processes';
  } finally {
    sleeper.kill('SIGKILL');
  }
}

/** The calls made during `work`. */
export async function recordSystemCalls(
  pid: number,
  work: () => Promise<void>,
): Promise<SystemCall[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-strace-'));
  const output = join(folder, 'calls');
  const options = ['-f', '-y', '-s', '8192', '-e', `trace=${traced}`, '-e', 'signal=none'];
  const child = Bun.spawn(['strace', ...options, '-o', output, '-p', String(pid)], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  try {
    if (!(await isAttached(child))) throw new Error('strace could not attach.');
    await work();
    child.kill('SIGINT');
    await child.exited;
    return parseCalls(readFileSync(output, 'utf8'));
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

type Strace = { stderr: ReadableStream<Uint8Array>; exitCode: number | null };

/** strace prints one line for each thread it attached to, and ends at once when it may not. */
async function isAttached(child: Strace): Promise<boolean> {
  let printed = '';
  void (async () => {
    for await (const chunk of child.stderr) printed += new TextDecoder().decode(chunk);
  })();
  for (let waitedMs = 0; waitedMs < attachLimitMs; waitedMs += pollMs) {
    if (/attached/.test(printed)) {
      // The threads follow one another without a pause.
      await Bun.sleep(10 * pollMs);
      return true;
    }
    if (child.exitCode !== null) return false;
    await Bun.sleep(pollMs);
  }
  return false;
}

const line = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((.*))$/;

/** Joins the two halves of a call that other threads interrupted. */
export function parseCalls(text: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, SystemCall>();
  for (const [at, printed] of text.split('\n').entries()) {
    const [, thread = '', resumed, tail = '', name = '', args = ''] = line.exec(printed) ?? [];
    if (thread === '') continue;
    const unfinished = args.endsWith('<unfinished ...>');
    const call =
      resumed === undefined
        ? { thread, name, text: args, began: at, returned: unfinished ? Infinity : at, result: '' }
        : open.get(thread);
    if (call === undefined) continue;
    if (resumed === undefined) calls.push(call);
    if (unfinished && resumed === undefined) {
      open.set(thread, call);
      continue;
    }
    if (resumed !== undefined) {
      call.text += tail;
      call.returned = at;
      open.delete(thread);
    }
    call.result = / = (-?\d+)[^=]*$/.exec(call.text)?.[1] ?? '';
  }
  return calls;
}
