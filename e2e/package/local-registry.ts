// An npm registry on loopback that serves one package, `bun`, as a wrapper of the project's Bun, so
// that `npx` installs with an empty cache and without the internet.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../run-to-end.ts';

export interface LocalRegistry extends AsyncDisposable {
  url: string;
}

export async function serveBun(folder: string, version: string): Promise<LocalRegistry> {
  const tarball = await packBun(join(folder, 'bun'), version);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      if (pathname === '/bun.tgz') return new Response(tarball);
      if (pathname !== '/bun') return new Response('{}', { status: 404 });
      const dist = { tarball: `${origin}/bun.tgz`, integrity };
      const versions = { [version]: { name: 'bun', version, dist } };
      return Response.json({ name: 'bun', 'dist-tags': { latest: version }, versions });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function packBun(folder: string, version: string): Promise<Uint8Array<ArrayBuffer>> {
  const executable = join(folder, 'bin', 'bun.exe');
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'bun', version }));
  await writeFile(executable, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(executable, 0o755);
  const env = process.env;
  const { code, out, err } = await runToEnd(['npm', 'pack', '--silent'], { cwd: folder, env });
  if (code !== 0) throw new Error(`npm pack failed:\n${out}${err}`);
  return new Uint8Array(await readFile(join(folder, out.trim())));
}
