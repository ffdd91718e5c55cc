// What tests build from the sources, kept until a source changes.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { projectRoot } from '../scripts/command.ts';
import { cloneCache } from './test-cache.ts';

const draftPrefix = 'half-';

/** Two test files may build at the same time: the one that ends first is kept. */
export async function keptBuild(
  name: string,
  sources: readonly string[],
  build: (folder: string) => Promise<void>,
  parent = cloneCache,
): Promise<string> {
  const cache = join(parent, name);
  const folder = join(cache, await digestOf(sources));
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, draftPrefix));
  try {
    await build(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // Another clone may use an older one.
  if (parent === cloneCache) await removeOlder(folder);
  return folder;
}

async function digestOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const paths = sources.flatMap((pattern) => {
    const found = [...new Glob(pattern).scanSync({ cwd: projectRoot })];
    if (found.length === 0) throw new Error(`No file is at ${pattern}.`);
    return found;
  });
  for (const path of paths.toSorted()) {
    hash.update(`${path}\0`).update(await readFile(join(projectRoot, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** A build may have a hundred megabytes, and only the newest one is of use. */
async function removeOlder(newest: string): Promise<void> {
  const cache = dirname(newest);
  for (const name of await readdir(cache)) {
    if (name.startsWith(draftPrefix) || join(cache, name) === newest) continue;
    await rm(join(cache, name), { recursive: true, force: true });
  }
}
