// Where tests keep what takes long to make. Packages and browsers are the same in every clone, so
// all clones of a user share them, each under a name that contains its version.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../scripts/command.ts';

export const cloneCache = join(projectRoot, 'node_modules', '.cache');

export const sharedCache = findSharedCache(process.env['XDG_CACHE_HOME'], homedir());

/** The folder of a user who may not write there is that of the clone. */
export function findSharedCache(named: string | undefined, home: string): string {
  const folder = join(named || join(home, '.cache'), 'trivium-tests');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return cloneCache;
  }
}
