// Generators and linters from npm, installed once into the cache.
import { cpSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPinned } from '../pinned-packages.ts';
import { succeed } from './generator.ts';
import type { Generator, Missing, GeneratorInput } from './generator.ts';

export const nodeGenerators: Generator[] = [
  { name: 'Redocly lint', run: (input) => lint(input, 'redocly', redoclyFlags) },
  { name: 'Spectral lint', run: (input) => lint(input, 'spectral', spectralFlags) },
  {
    name: 'openapi-typescript',
    run: (input) =>
      tour(input, 'programs/openapi-typescript.ts', (tool, out) => [
        tool('openapi-typescript'),
        // Otherwise a field with a default is required.
        '--default-non-nullable=false',
        input.document,
        '-o',
        join(out, 'schema.d.ts'),
      ]),
  },
  {
    name: '@hey-api/openapi-ts',
    run: (input) =>
      tour(input, 'programs/hey-api.ts', (tool, out) => [
        tool('openapi-ts'),
        '-i',
        input.document,
        '-o',
        out,
      ]),
  },
];

// Receivers of webhooks need a schema that no path uses. The tests of the document check the rest.
const redoclyFlags = ['--extends=recommended', '--skip-rule=no-unused-components'];
const ruleset = 'extends: ["spectral:oas"]\nrules: { oas3-unused-component: off }\n';
const spectralFlags = ['--fail-severity=hint', '--ruleset=ruleset.yaml'];

async function lint(
  input: GeneratorInput,
  program: string,
  flags: string[],
): Promise<string | Missing> {
  const tools = await installTools();
  if (typeof tools !== 'string') return tools;
  const { folder, document } = input;
  await writeFile(join(folder, 'ruleset.yaml'), ruleset);
  const command = [join(tools, 'node_modules', '.bin', program), 'lint', document, ...flags];
  const output = await succeed(command, { env: process.env, cwd: folder });
  if (/\b[1-9]\d* (?:warning|problem)/.test(output)) throw new Error(output);
  return 'no warnings';
}

type Command = (tool: (name: string) => string, out: string) => string[];

/** Generates with one of the tools, compiles the program with the result, and runs it. */
export async function tour(
  input: GeneratorInput,
  program: string,
  command: Command,
): Promise<string | Missing> {
  const tools = await installTools();
  if (typeof tools !== 'string') return tools;
  const { folder } = input;
  const out = join(folder, 'client');
  const tool = (name: string) => join(tools, 'node_modules', '.bin', name);
  await succeed(command(tool, out), { env: process.env, cwd: folder });
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(import.meta.dir, program), join(folder, 'tour.ts'));
  cpSync(join(import.meta.dir, 'programs', 'node.d.ts'), join(folder, 'node.d.ts'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilation));
  await succeed([tool('tsc'), '-p', '.'], { env: process.env, cwd: folder });
  return succeed([process.execPath, '--no-install', 'tour.ts'], { env: input.env, cwd: folder });
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

function installTools(): Promise<string | Missing> {
  return installPinned(import.meta.dir, 'generators');
}
