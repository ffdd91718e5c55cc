// Who PostgreSQL runs as and where it lives: it refuses root, so root lends it another account.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ACCOUNT_NAMES = ['postgres', 'nobody'];
const PRIVATE_MODE = 0o700;
const CHECK_TIMEOUT_MS = 10_000;

export interface Account {
  uid: number;
  gid: number;
}

/** Answers the account to lend when we are root; undefined when we can run it ourselves. */
export function chooseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = rows.find((row) => row.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and there is no account ${ACCOUNT_NAMES.join(' or ')} ` +
      'to run it as: add one, or run the tests as another user.',
  );
}

/** Makes a folder only that account can read, at a place it can reach (a home may be closed). */
export function makePrivateFolder(account: Account | undefined): string {
  const places = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])];
  for (const place of places) {
    const folder = makeFolder(place);
    if (folder === undefined) continue;
    chmodSync(folder, PRIVATE_MODE);
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    const check = runAs(account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], {
      cwd: '/',
      timeout: CHECK_TIMEOUT_MS,
    });
    if (check.status === 0) return folder;
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Error(`PostgreSQL finds no folder to write to: tried ${places.join(', ')}.`);
}

/** Runs a short command to its end, as the lent account where there is one. */
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
