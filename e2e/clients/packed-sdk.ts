// The SDK package as users get it: built, packed, and installed in an empty project.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const project = await mkdtemp(join(tmpdir(), 'trivium-package-'));
  const remove = () => rm(project, { recursive: true, force: true });
  const run: PackedSdk['run'] = (command, env) => runIn(project, command, env);
  try {
    const built = join(project, 'built');
    await run([process.execPath, join(root, 'sdk/build/main.ts'), built]);
    const packed = await run(['npm', 'pack', '--silent', built]);
    await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}');
    const quietly = ['--offline', '--no-audit', '--no-fund'];
    await run(['npm', 'install', ...quietly, `./${packed.trim()}`]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { project, folder: join(project, 'node_modules', '@trivium', 'sdk'), run, remove };
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
