// Finds the pinned Bun among the places npm may have put it, install scripts run or not.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION_TIMEOUT_MS = 20_000;
const PLATFORM_NAMES = { win32: 'windows' };
const ARCHITECTURE_NAMES = { arm64: 'aarch64' };
const VARIANTS = ['', '-baseline', '-musl', '-musl-baseline'];

/** Answers the path of a Bun that runs here and is exactly the pinned version. */
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
export function bunCandidates(root, { platform, arch }) {
  const name = `bun-${PLATFORM_NAMES[platform] ?? platform}-${ARCHITECTURE_NAMES[arch] ?? arch}`;
  const file = platform === 'win32' ? 'bun.exe' : 'bun';
  return [
    join(root, 'node_modules', 'bun', 'bin', 'bun.exe'),
    ...VARIANTS.map((variant) => join(root, 'node_modules', '@oven', name + variant, 'bin', file)),
  ];
}

// Without install scripts bun.exe is a note that refuses to run, so only a real answer counts.
function bunVersion(path) {
  const result = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_TIMEOUT_MS,
  });
  return result.status === 0 ? result.stdout.trim() : undefined;
}
