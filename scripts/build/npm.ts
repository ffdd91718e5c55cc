// Builds the two npm packages, `trivium` and `@trivium/sdk`, and packs them: `npm run build -- npm`.
// Both are made from built files; the sources of a clone are never packed.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot, runCommand } from '../command.ts';
import { makeBundler } from './bundle.ts';
import { readRepository } from './repository.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'dist') },
    /** One of the two packages. */
    only: { type: 'string' },
  },
});
const out = resolve(values.out);
const limitMs = 2 * 60_000;

const gateway = join(out, 'npm');
const sdk = join(out, 'sdk');
const sdkBuild = join(projectRoot, 'sdk', 'build', 'main.ts');
const packages = [
  { name: 'trivium', folder: gateway, build: buildGateway },
  { name: '@trivium/sdk', folder: sdk, build: buildSdk },
].filter(({ name }) => values.only === undefined || values.only === name);
if (packages.length === 0) {
  process.stderr.write(`There is no package ${values.only}: trivium or @trivium/sdk.\n`);
  process.exit(1);
}
await Promise.all(packages.map(({ build }) => build()));
for (const { folder } of packages) {
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', out, folder]);
  process.stdout.write(`${join(values.out, packed.split('\n').at(-1) ?? '')}\n`);
  await rm(folder, { recursive: true });
}

async function buildSdk(): Promise<void> {
  await run(process.execPath, [sdkBuild, sdk]);
  const file = join(sdk, 'package.json');
  const built = JSON.parse(await readFile(file, 'utf8')) as object;
  const described = { ...built, ...(await readRepository('sdk')) };
  await writeFile(file, `${JSON.stringify(described, null, 2)}\n`);
}

async function buildGateway(): Promise<void> {
  await rm(gateway, { recursive: true, force: true });
  await mkdir(gateway, { recursive: true });
  const { toFolder } = await makeBundler();
  await toFolder(gateway);
  const scripts = ['bun-binary.mjs', 'bun-settings.mjs', 'child.mjs', 'build/npm-start.mjs'];
  for (const name of scripts) {
    await copyFile(join(projectRoot, 'scripts', name), join(gateway, basename(name)));
  }
  await chmod(join(gateway, 'npm-start.mjs'), 0o755);
  await writeFile(join(gateway, 'bunfig.toml'), '# Nothing: see npm-start.mjs.\n');
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
    await copyFile(join(projectRoot, name), join(gateway, name));
  }
  await writeFile(join(gateway, 'package.json'), `${JSON.stringify(await describe(), null, 2)}\n`);
}

async function describe(): Promise<object> {
  const { name, version, description, keywords, license, type, engines, dependencies } = manifest;
  const bin = { trivium: './npm-start.mjs' };
  const about = { name, version, description, keywords, ...(await readRepository()) };
  return { ...about, license, type, engines, bin, dependencies };
}

async function run(command: string, args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args, { capture: true, limitMs });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return output;
}
