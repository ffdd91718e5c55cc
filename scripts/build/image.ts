// Writes the folder from which a container image is built, dist/image: `npm run build -- image`. The
// image is built from scratch: it contains the executable and the C library that it is linked to.
import { chmod, copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../command.ts';
import { makeBundler } from './bundle.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'dist', 'image') },
    /** An executable that was built before. */
    executable: { type: 'string' },
  },
});
if (process.platform !== 'linux') {
  process.stderr.write('An image contains a Linux executable: build it on Linux.\n');
  process.exit(1);
}

const folder = resolve(values.out);
const root = join(folder, 'root');
const executable = join(root, 'usr', 'local', 'bin', 'trivium');
await rm(folder, { recursive: true, force: true });
await mkdir(dirname(executable), { recursive: true });
if (values.executable === undefined) await (await makeBundler()).toExecutable(executable);
else await copyFile(values.executable, executable);
await chmod(executable, 0o755);
await copyLibraries();
await mkdir(join(root, 'etc'));
await writeFile(join(root, 'etc', 'passwd'), 'trivium:x:1000:1000::/data:/sbin/nologin\n');
await writeFile(join(root, 'etc', 'group'), 'trivium:x:1000:\n');
await mkdir(join(root, 'tmp'));
await chmod(join(root, 'tmp'), 0o1777);
// A folder of its own, because it belongs to the user of the image.
await mkdir(join(folder, 'data'));
await cp(join(projectRoot, 'deploy', 'Dockerfile'), join(folder, 'Dockerfile'));
process.stdout.write(`${values.out}: build it with docker, podman or buildah\n`);

/** The libraries of this machine, at the paths where the executable looks for them. */
async function copyLibraries(): Promise<void> {
  const listed = Bun.spawnSync(['ldd', executable]);
  const paths = [...listed.stdout.toString().matchAll(/^\s(?:\S+ => )?(\/\S+) \(0x/gm)];
  if (listed.exitCode !== 0 || paths.length === 0) {
    throw new Error(`ldd does not name the libraries of ${executable}: ${listed.stderr}`);
  }
  for (const [, path = ''] of paths) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await copyFile(path, join(root, path));
  }
}
