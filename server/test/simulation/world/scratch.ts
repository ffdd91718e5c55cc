// Folders of the simulation. A process that is interrupted leaves its own behind, and the next one
// removes them.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const prefix = 'trivium-sim-';
let hasLooked = false;

/** A new folder, in memory where that is possible. */
export function makeScratchFolder(): string {
  if (!hasLooked) removeLeftFolders(home);
  hasLooked = true;
  return mkdtempSync(join(home, `${prefix}${process.pid}-`));
}

/** Those of processes that have ended. */
export function removeLeftFolders(within: string): void {
  for (const name of readdirSync(within)) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : NaN;
    if (Number.isInteger(owner) && !isRunning(owner)) {
      rmSync(join(within, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of someone else.
    return (error as { code?: string }).code === 'EPERM';
  }
}
