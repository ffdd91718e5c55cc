// Installs the npm packages that a folder pins, once, into the cache.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../scripts/command.ts';
import { runToEnd } from './run-to-end.ts';

const keyLength = 16;
const pins = ['package.json', 'package-lock.json'];

/** Returns the folder that has node_modules; concurrent runs share it. */
export async function installPinned(
  pinned: string,
  name: string,
): Promise<string | { missing: string }> {
  const hash = createHash('sha256');
  for (const pin of pins) hash.update(readFileSync(join(pinned, pin)));
  const key = hash.digest('hex').slice(0, keyLength);
  const folder = join(projectRoot, 'node_modules', '.cache', `${name}-${key}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    for (const pin of pins) cpSync(join(pinned, pin), join(draft, pin));
    const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const installed = await runToEnd(npm, { cwd: draft, env: process.env });
    if (installed.code !== 0) return { missing: `npm ci failed: ${installed.err.slice(0, 300)}` };
    if (!existsSync(folder)) renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
  }
}
