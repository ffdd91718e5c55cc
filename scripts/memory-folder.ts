// A folder in memory for the temporary files of a test run. Tests open a thousand stores, which wait
// for the disk at every commit and at every copy of a database.
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const gib = 2 ** 30;
/** A run stores less than this at a time. */
const neededBytes = 3 * gib;
/** What the processes of a run need besides. */
const spareBytes = 3 * gib;
const inMemory = '/dev/shm';
/** Others may pass through it, because PostgreSQL runs as another user if we are root. */
const mode = 0o711;

/** Makes a folder in memory if there is enough of it, or else on disk. */
export function makeRunFolder(place = inMemory, isEnough = hasRoom): string {
  const folder = (isEnough(place) && makeIn(place)) || mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, mode);
  return folder;
}

const prefix = 'trivium-test-';

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= neededBytes && freemem() >= neededBytes + spareBytes;
  } catch {
    return false;
  }
}

/** Containers often refuse to run programs from there, which the tests do. */
function makeIn(place: string): string | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(place, prefix));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const { status } = spawnSync(program);
    rmSync(program);
    if (status === 0) return folder;
  } catch {
    // There is no such folder, or it is not ours to write to.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}
