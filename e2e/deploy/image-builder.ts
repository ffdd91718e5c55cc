// Builds a container image with buildah and runs it, without a daemon and without privileges.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../run-to-end.ts';

export interface ImageBuilder {
  build: (context: string, tag: string) => Promise<void>;
  /** The command of the image, as a process of this machine would start it. */
  runCommand: (tag: string, args: readonly string[]) => Promise<string[]>;
  config: (tag: string) => Promise<ImageConfig>;
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

/** Returns what is missing on a machine that cannot build images. */
export async function prepareBuilder(folder: string): Promise<ImageBuilder | { missing: string }> {
  const program = Bun.which('buildah');
  if (program === null) return { missing: 'install buildah' };
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
  } catch (error) {
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
    runCommand: async (tag, args) => {
      const container = await run('from', '--signature-policy', policy, tag);
      const { Entrypoint, Cmd } = await config(tag);
      const words = [...Entrypoint, ...(args.length > 0 ? args : Cmd)];
      // The image itself is for live gateways.
      const env = ['--env', 'TRIVIUM_SANDBOX=on'];
      return [...buildah, 'run', '--isolation', 'chroot', ...env, container, '--', ...words];
    },
    remove: async () => {
      await run('rm', '--all').catch(() => '');
      // Without root, files of the image belong to users that only exist in its namespace.
      if (process.getuid?.() !== 0)
        await runToEnd([program, 'unshare', 'rm', '-rf', folder], { env: process.env });
    },
  };
}
