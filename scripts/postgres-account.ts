// The account and the folder that PostgreSQL runs with. It refuses root, so root uses another one.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const accountNames = ['postgres', 'nobody'];
const privateMode = 0o700;
const checkTimeoutMs = 10_000;

export interface Account {
  uid: number;
  gid: number;
}

/** The account to run PostgreSQL as if we are root; undefined if the current user can. */
export function chooseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of accountNames) {
    const [, , uid, gid] = rows.find((row) => row.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and there is no account ${accountNames.join(' or ')} ` +
      'to run it as: add one, or run the tests as another user.',
  );
}

/** Creates a folder that only this account can read, where it has access (unlike some homes). */
export function makePrivateFolder(account: Account | undefined): string {
  const places = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])];
  for (const place of places) {
    const folder = makeFolder(place);
    if (folder === undefined) continue;
    chmodSync(folder, privateMode);
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    const check = runAs(account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], {
      cwd: '/',
      timeout: checkTimeoutMs,
    });
    if (check.status === 0) return folder;
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Error(`PostgreSQL finds no folder to write to: tried ${places.join(', ')}.`);
}

/** Runs a short command to its end, as the given account if there is one. */
export function runAs(
  account: Account | undefined,
  command: string,
  args: string[],
  { cwd, timeout }: { cwd: string; timeout: number },
): { status: number | null; reason: string } {
  const result = spawnSync(command, args, {
    cwd,
    timeout,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    ...account,
  });
  const reason = result.error?.message ?? result.stderr.trim();
  return { status: result.status, reason };
}

function makeFolder(place: string): string | undefined {
  try {
    return mkdtempSync(join(place, 'trivium-postgres-'));
  } catch {
    return undefined;
  }
}
