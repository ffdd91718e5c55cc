// The executable that the tests of this folder start, and the scripts they use.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../../scripts/command.ts';
import { keptBuild } from '../kept-build.ts';
import { runToEnd } from '../run-to-end.ts';

/** Every file that a build reads. */
const sources = [
  ...manifest.workspaces.flatMap((name) => [`${name}/src/**/*`, `${name}/package.json`]),
  'docs/**/*',
  'scripts/**/*',
  'package.json',
  'package-lock.json',
];

export async function builtExecutable(): Promise<string> {
  const folder = await keptBuild('trivium-build', sources, async (out) => {
    await runScript('scripts/build/main.ts', '--out', out);
  });
  return join(folder, 'trivium');
}

/** Runs a build script of the project and resolves to what it printed. */
export async function runScript(entry: string, ...args: string[]): Promise<string> {
  const command = [process.execPath, '--no-env-file', join(projectRoot, entry), ...args];
  const { code, out, err } = await runToEnd(command, { cwd: projectRoot, env: process.env });
  if (code !== 0) throw new Error(`${entry} ended with ${code}:\n${out}${err}`);
  return out;
}
