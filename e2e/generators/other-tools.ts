// Generators that need Python, Go or Java; those that are not installed are left out.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { preparePython } from '../python/environment.ts';
import { runToEnd } from '../run-to-end.ts';
import { tour } from './node-tools.ts';
import { succeed } from './generator.ts';
import type { Generator, Missing, GeneratorInput } from './generator.ts';

const programs = join(import.meta.dir, 'programs');
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const generatorVersion = '7.25.0';
const progenitor = ['cargo-progenitor', '--version', '0.15.1'];

export const otherGenerators: Generator[] = [
  { name: 'openapi-python-client', run: tourInPython },
  { name: 'oapi-codegen', run: tourInGo },
  { name: 'openapi-generator typescript-fetch', run: tourInFetch },
  { name: 'openapi-generator java', run: tourInJava },
  { name: 'openapi-generator go', run: tourInGeneratedGo },
  { name: 'progenitor', run: tourInRust },
];

async function tourInPython({ document, folder, env }: GeneratorInput): Promise<string | Missing> {
  const python = await preparePython({ requirements: join(import.meta.dir, 'requirements.txt') });
  if ('missing' in python) return python;
  const options = ['--meta', 'none', '--output-path', join(folder, 'client')];
  const command = ['-m', 'openapi_python_client', 'generate', '--path', document, ...options];
  const path = `${join(python.program, '..')}:${process.env['PATH']}`;
  const output = await succeed([python.program, ...command], {
    env: { ...process.env, PATH: path },
    cwd: folder,
  });
  if (output.includes('Warning')) throw new Error(output);
  cpSync(join(programs, 'openapi_python_client.py'), join(folder, 'tour.py'));
  return succeed([python.program, 'tour.py'], { env, cwd: folder });
}

async function tourInGo({ document, folder, env }: GeneratorInput): Promise<string | Missing> {
  if (Bun.which('go') === null) return { missing: 'install Go 1.24 or newer' };
  const bin = join(projectRoot, 'node_modules', '.cache', 'oapi-codegen');
  const install = ['go', 'install', oapiCodegen];
  const installed = await runToEnd(install, { env: { ...process.env, GOBIN: bin } });
  if (installed.code !== 0) return { missing: `go install failed: ${installed.err.slice(0, 300)}` };
  cpSync(join(programs, 'go'), folder, { recursive: true });
  mkdirSync(join(folder, 'client'));
  const flags = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.gen.go'];
  await succeed([join(bin, 'oapi-codegen'), ...flags, document], { env: process.env, cwd: folder });
  await succeed(['go', 'vet', './...'], { env: process.env, cwd: folder });
  return succeed(['go', 'run', '.'], { env: { ...process.env, ...env }, cwd: folder });
}

async function tourInFetch(input: GeneratorInput): Promise<string | Missing> {
  const jar = await findGenerator();
  if (typeof jar !== 'string') return jar;
  return tour(input, 'programs/typescript-fetch.ts', (_tool, out) =>
    generate(jar, ['-i', input.document, '-g', 'typescript-fetch', '-o', out]),
  );
}

async function tourInJava({ document, folder, env }: GeneratorInput): Promise<string | Missing> {
  const jar = await findGenerator();
  if (typeof jar !== 'string') return jar;
  // Without the first, the client sends an empty list for every list that is not set. Without the
  // second, every new header of the API changes the signatures of the generated methods.
  const choices = ['containerDefaultToNull=true', 'useSingleRequestParameter=true'];
  const properties = `--additional-properties=${choices.join(',')}`;
  const flags = [
    ...['-i', document, '-g', 'java', '--library', 'native', '-o', folder, properties],
    // The generator's own tests do not compile with the second choice.
    ...['--global-property', 'apiTests=false'],
  ];
  await succeed(generate(jar, flags), { env: process.env, cwd: folder });
  cpSync(join(programs, 'java', 'Tour.java'), join(folder, 'src', 'main', 'java', 'Tour.java'));
  const skip = ['-DskipTests', '-Dmaven.javadoc.skip=true', '-Dmaven.source.skip=true'];
  await succeed(['mvn', '-q', '-B', 'package', ...skip], { env: process.env, cwd: folder });
  const classes = ['target/classes', 'target/lib/*'].join(':');
  return succeed(['java', '-cp', classes, 'Tour'], {
    env: { ...process.env, ...env },
    cwd: folder,
  });
}

async function tourInGeneratedGo(input: GeneratorInput): Promise<string | Missing> {
  if (Bun.which('go') === null) return { missing: 'install Go 1.24 or newer' };
  const jar = await findGenerator();
  if (typeof jar !== 'string') return jar;
  const { document30, folder, env } = input;
  const properties = '--additional-properties=packageName=client,withGoMod=false';
  const flags = ['-i', document30, '-g', 'go', properties, '-o', join(folder, 'client')];
  await succeed(generate(jar, flags), { env: process.env, cwd: folder });
  await rm(join(folder, 'client', 'test'), { recursive: true, force: true });
  cpSync(join(programs, 'openapi-generator-go'), folder, { recursive: true });
  await succeed(['go', 'vet', './...'], { env: process.env, cwd: folder });
  return succeed(['go', 'run', '.'], { env: { ...process.env, ...env }, cwd: folder });
}

/** What is compiled stays in the cache, because it takes minutes. */
async function tourInRust({ document30, folder, env }: GeneratorInput): Promise<string | Missing> {
  if (Bun.which('cargo') === null) return { missing: 'install Rust 1.85 or newer' };
  const kept = join(projectRoot, 'node_modules', '.cache', 'progenitor');
  const install = ['cargo', 'install', '--locked', '--root', kept, ...progenitor];
  const installed = await runToEnd(install, { env: process.env });
  if (installed.code !== 0) return { missing: `cargo failed: ${installed.err.slice(-300)}` };
  const flags = [
    ...['-i', document30, '-o', 'client', '-n', 'trivium-client', '-v', '0.0.0'],
    // Otherwise every new header of the API changes the signatures of the generated methods.
    ...['--interface', 'builder'],
  ];
  const generator = join(kept, 'bin', 'cargo-progenitor');
  await succeed([generator, 'progenitor', ...flags], { env: process.env, cwd: folder });
  cpSync(join(programs, 'rust'), folder, { recursive: true });
  return succeed(['cargo', 'run', '--quiet'], {
    env: { ...process.env, ...env, CARGO_TARGET_DIR: join(kept, 'target') },
    cwd: folder,
  });
}

function generate(jar: string, flags: readonly string[]): string[] {
  return ['java', '-jar', jar, 'generate', ...flags];
}

/** Maven brings the jar, and the packages that the Java client needs. */
async function findGenerator(): Promise<string | Missing> {
  if (Bun.which('java') === null || Bun.which('mvn') === null) {
    return { missing: 'install Java 17 or newer and Maven' };
  }
  const folder = join(projectRoot, 'node_modules', '.cache', 'openapi-generator');
  const name = `openapi-generator-cli-${generatorVersion}.jar`;
  if (existsSync(join(folder, name))) return join(folder, name);
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${generatorVersion}`;
  const command = ['mvn', '-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`];
  const { code, out } = await runToEnd(command, { env: process.env, cwd: import.meta.dir });
  return code === 0 ? join(folder, name) : { missing: `Maven failed: ${out.slice(0, 300)}` };
}
