// Builds a container image with buildah and runs it, without a daemon and without privileges.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../run-to-end.ts';

export interface ImageBuilder {
  build: (context: string, tag: string) => Promise<void>;
  /** The command of the image, as a process of this machine would start it. */
  runCommand: (
    tag: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<string[]>;
  config: (tag: string) => Promise<ImageConfig>;
  /** Removes the containers, and the folder with everything that was made in it. */
  remove: () => Promise<void>;
}

/** As declared in the image. */
export interface ImageConfig {
  User: string;
  Entrypoint: string[];
  Cmd: string[];
  Env: string[];
  ExposedPorts: Record<string, object>;
  Volumes: Record<string, object>;
  Healthcheck?: { Test: string[] };
}

/** Returns what is missing on a machine that cannot build images; then nothing is left behind. */
export async function prepareBuilder(home: string): Promise<ImageBuilder | { missing: string }> {
  const program = Bun.which('buildah');
  const removeHome = () => removeFolder(program, home);
  if (program === null) {
    await removeHome();
    return { missing: 'install buildah' };
  }
  const folder = join(home, 'buildah');
  const policy = join(folder, 'policy.json');
  await mkdir(folder, { recursive: true });
  await writeFile(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'state')];
  const buildah = [program, ...storage, '--storage-driver', 'vfs'];
  const run = async (...args: string[]) => {
    const { code, out, err } = await runToEnd([...buildah, ...args], { env: process.env });
    if (code !== 0) throw new Error(`buildah ${args.join(' ')} ended with ${code}:\n${out}${err}`);
    return out.trim();
  };
  try {
    await run('rm', await run('from', 'scratch'));
    if (!(await hasOtherUsers(program))) throw new Error('set /etc/subuid and /etc/subgid');
  } catch (error) {
    await removeHome();
    return { missing: `buildah does not run here: ${String(error)}` };
  }
  const config = async (tag: string) => {
    const inspected = JSON.parse(await run('inspect', '--type', 'image', tag)) as {
      Docker: { config: ImageConfig };
    };
    return inspected.Docker.config;
  };
  return {
    config,
    build: async (context, tag) => {
      const flags = ['--isolation', 'chroot', '--format', 'docker', '--signature-policy', policy];
      await run('build', ...flags, '--tag', tag, context);
    },
    runCommand: async (tag, args, more = {}) => {
      const container = await run('from', '--signature-policy', policy, tag);
      const { Entrypoint, Cmd } = await config(tag);
      const words = [...Entrypoint, ...(args.length > 0 ? args : Cmd)];
      // The image itself is for live gateways.
      const settings = Object.entries({ TRIVIUM_SANDBOX: 'on', ...more });
      const env = settings.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      return [...buildah, 'run', '--isolation', 'chroot', ...env, container, '--', ...words];
    },
    remove: async () => {
      await run('rm', '--all').catch(() => '');
      await removeHome();
    },
  };
}

/** The image has files of user 1000; without root, this user needs subordinate users. */
async function hasOtherUsers(program: string): Promise<boolean> {
  if (process.getuid?.() === 0) return true;
  const asked = [program, 'unshare', 'cat', '/proc/self/uid_map'];
  const { out } = await runToEnd(asked, { env: process.env });
  return out.trim().split('\n').length > 1;
}

/** Without root, files of the image belong to users that exist only in its namespace. */
async function removeFolder(program: string | null, folder: string): Promise<void> {
  if (program !== null && process.getuid?.() !== 0) {
    const removing = [program, 'unshare', 'rm', '-rf', folder];
    const { code, err } = await runToEnd(removing, { env: process.env });
    if (code !== 0) throw new Error(`${removing.join(' ')} ended with ${code}: ${err}`);
  }
  await rm(folder, { recursive: true, force: true });
}
