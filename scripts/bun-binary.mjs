// Finds the pinned Bun where npm installed it, with or without install scripts.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const versionTimeoutMs = 20_000;
const platformNames = { win32: 'windows' };
const architectureNames = { arm64: 'aarch64' };
const VARIANTS = ['', '-baseline', '-musl', '-musl-baseline'];

/** The path of a Bun that runs on this machine and has exactly the pinned version. */
export function findBun(root, version, machine = process) {
  const candidates = bunCandidates(root, machine).filter((path) => existsSync(path));
  const found = candidates.find((path) => bunVersion(path) === version);
  if (found !== undefined) return found;
  throw new Error(
    `No Bun ${version} for ${machine.platform} ${machine.arch} runs from node_modules ` +
      `(tried ${candidates.length === 0 ? 'nothing, none is there' : candidates.join(', ')}): ` +
      'remove node_modules and try again, with optional packages allowed.',
  );
}

/** Lists where the binary may be, the most likely place first. */
function bunCandidates(root, { platform, arch }) {
  const name = `bun-${platformNames[platform] ?? platform}-${architectureNames[arch] ?? arch}`;
  const file = platform === 'win32' ? 'bun.exe' : 'bun';
  return [
    join(root, 'node_modules', 'bun', 'bin', 'bun.exe'),
    ...VARIANTS.map((variant) => join(root, 'node_modules', '@oven', name + variant, 'bin', file)),
  ];
}

// Without install scripts bun.exe is a placeholder that fails, so the version must be checked.
function bunVersion(path) {
  const result = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    timeout: versionTimeoutMs,
  });
  return result.status === 0 ? result.stdout.trim() : undefined;
}
