// The SDK package as users get it: built, packed, and installed in an empty project.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptBuild } from '../kept-build.ts';
import { runToEnd } from '../run-to-end.ts';

export const root = join(import.meta.dir, '..', '..');

export interface PackedSdk {
  /** A project that contains only the package. */
  project: string;
  /** The installed package inside it. */
  folder: string;
  run: (command: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;
  remove: () => Promise<void>;
}

export async function packSdk(): Promise<PackedSdk> {
  const installed = await keptBuild('trivium-sdk', sources, installIn);
  const project = await mkdtemp(join(tmpdir(), 'trivium-package-'));
  await cp(installed, project, { recursive: true, verbatimSymlinks: true });
  return {
    project,
    folder: join(project, 'node_modules', '@trivium', 'sdk'),
    run: (command, env) => runIn(project, command, env),
    remove: () => rm(project, { recursive: true, force: true }),
  };
}

/** Every file that the build of the package reads. */
const sources = [
  ...['contract', 'shared', 'sdk', 'cli'].map((name) => `${name}/src/**/*`),
  ...['sdk/build/*', 'sdk/package.json', 'sdk/README.md'],
  ...['LICENSE', 'package.json', 'package-lock.json', 'tsconfig.base.json'],
];

async function installIn(project: string): Promise<void> {
  const built = join(project, 'built');
  await runIn(project, [process.execPath, join(root, 'sdk/build/main.ts'), built]);
  const packed = await runIn(project, ['npm', 'pack', '--silent', built]);
  await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}');
  const quietly = ['--offline', '--no-audit', '--no-fund'];
  await runIn(project, ['npm', 'install', ...quietly, `./${packed.trim()}`]);
}

/** Returns the output; throws with all of it if the command fails. */
async function runIn(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, out, err } = await runToEnd(command, { cwd, env: { ...process.env, ...env } });
  if (code === 0) return out;
  throw new Error(`${command.join(' ')} failed:\n${out}${err}`);
}
