// The platforms an executable is built for, and their Bun runtimes. npm serves each runtime as a
// package, and the lock file pins its digest.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runCommand } from '../command.ts';
import { readPackages } from '../sbom.ts';
import type { ForeignPlatform } from './bundle.ts';

interface Target {
  compile: Bun.Build.CompileTarget;
  /** The npm package with the runtime, without its scope. */
  runtime: string;
}

export const targets = {
  'linux-x64': { compile: 'bun-linux-x64', runtime: 'bun-linux-x64' },
  'linux-arm64': { compile: 'bun-linux-arm64', runtime: 'bun-linux-aarch64' },
  'darwin-x64': { compile: 'bun-darwin-x64', runtime: 'bun-darwin-x64' },
  'darwin-arm64': { compile: 'bun-darwin-arm64', runtime: 'bun-darwin-aarch64' },
  'windows-x64': { compile: 'bun-windows-x64', runtime: 'bun-windows-x64' },
} as const satisfies Record<string, Target>;

type TargetName = keyof typeof targets;

export const targetNames = Object.keys(targets) as TargetName[];

export function isTargetName(name: string): name is TargetName {
  return Object.hasOwn(targets, name);
}

export function hostName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

const downloadLimitMs = 5 * 60_000;

/** Fetches the runtime of a platform from the npm registry, once for each version of Bun. */
export async function prepareRuntime(name: TargetName): Promise<ForeignPlatform> {
  const { compile, runtime } = targets[name];
  const { version = '', integrity = '' } = readPackages()[`node_modules/@oven/${runtime}`] ?? {};
  if (!integrity) throw new Error(`package-lock.json does not pin @oven/${runtime}.`);
  const cache = join(projectRoot, 'node_modules', '.cache', 'bun-runtimes');
  const folder = join(cache, `${runtime}-${version}`);
  const executablePath = join(folder, 'bin', name.startsWith('windows') ? 'bun.exe' : 'bun');
  if (!existsSync(executablePath)) {
    mkdirSync(cache, { recursive: true });
    const half = await mkdtemp(join(cache, 'half-'));
    try {
      await unpack(`@oven/${runtime}@${version}`, integrity, half);
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(half, 'package'), folder);
    } finally {
      rmSync(half, { recursive: true, force: true });
    }
  }
  return { target: compile, executablePath };
}

async function unpack(specifier: string, integrity: string, folder: string): Promise<void> {
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder, specifier]);
  const tarball = join(folder, packed.split('\n').at(-1) ?? '');
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${digest}` !== integrity) {
    throw new Error(`${specifier} is not what package-lock.json pins: its digest differs.`);
  }
  await run('tar', ['-xzf', tarball, '-C', folder]);
}

async function run(command: string, args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args, {
    capture: true,
    limitMs: downloadLimitMs,
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return output;
}
