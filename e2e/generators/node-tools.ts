// Generators and linters from npm, installed once into the cache.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { runToEnd } from '../run-to-end.ts';
import { succeed } from './scene.ts';
import type { Generator, Missing, Scene } from './scene.ts';

const keyLength = 16;
const pins = ['package.json', 'package-lock.json'];

export const nodeGenerators: Generator[] = [
  { name: 'Redocly lint', run: (scene) => lint(scene, 'redocly', ['--extends=recommended']) },
  { name: 'Spectral lint', run: (scene) => lint(scene, 'spectral', spectralFlags) },
  {
    name: 'openapi-typescript',
    run: (scene) =>
      tour(scene, 'programs/openapi-typescript.ts', (tool, out) => [
        tool('openapi-typescript'),
        scene.document,
        '-o',
        join(out, 'schema.d.ts'),
      ]),
  },
  {
    name: '@hey-api/openapi-ts',
    run: (scene) =>
      tour(scene, 'programs/hey-api.ts', (tool, out) => [
        tool('openapi-ts'),
        '-i',
        scene.document,
        '-o',
        out,
      ]),
  },
];

const spectralFlags = ['--fail-severity=hint', '--ruleset=ruleset.yaml'];

async function lint(scene: Scene, program: string, flags: string[]): Promise<string | Missing> {
  const tools = await installTools();
  if (typeof tools !== 'string') return tools;
  const { folder, document } = scene;
  await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
  const command = [join(tools, 'node_modules', '.bin', program), 'lint', document, ...flags];
  const output = await succeed(command, { env: process.env, cwd: folder });
  if (/\b[1-9]\d* (?:warning|problem)/.test(output)) throw new Error(output);
  return 'no warnings';
}

type Command = (tool: (name: string) => string, out: string) => string[];

/** Generates with one of the tools, compiles the program with the result, and runs it. */
export async function tour(
  scene: Scene,
  program: string,
  command: Command,
): Promise<string | Missing> {
  const tools = await installTools();
  if (typeof tools !== 'string') return tools;
  const { folder } = scene;
  const out = join(folder, 'client');
  const tool = (name: string) => join(tools, 'node_modules', '.bin', name);
  await succeed(command(tool, out), { env: process.env, cwd: folder });
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(import.meta.dir, program), join(folder, 'tour.ts'));
  cpSync(join(import.meta.dir, 'programs', 'node.d.ts'), join(folder, 'node.d.ts'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilation));
  await succeed([tool('tsc'), '-p', '.'], { env: process.env, cwd: folder });
  return succeed([process.execPath, '--no-install', 'tour.ts'], { env: scene.env, cwd: folder });
}

const compilation = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    noEmit: true,
  },
  include: ['tour.ts', 'node.d.ts', 'client'],
};

/** Returns the folder with the tools; concurrent runs share it. */
async function installTools(): Promise<string | Missing> {
  const hash = createHash('sha256');
  for (const name of pins) hash.update(readFileSync(join(import.meta.dir, name)));
  const key = hash.digest('hex').slice(0, keyLength);
  const folder = join(projectRoot, 'node_modules', '.cache', `generators-${key}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    for (const name of pins) cpSync(join(import.meta.dir, name), join(draft, name));
    const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const installed = await runToEnd(npm, { cwd: draft, env: process.env });
    if (installed.code !== 0) return { missing: `npm ci failed: ${installed.err.slice(0, 300)}` };
    if (!existsSync(folder)) renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
  }
}
