// Builds the publishable package in sdk/dist: JavaScript, declarations and a manifest.
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  auditActions,
  contentModes,
  eventTypes,
  outcomes,
  providerIds,
  typedName,
  ValidationIssue,
  version,
} from '@trivium/contract';
import { openApiDocument } from '@trivium/contract/openapi';
import { z } from 'zod';
import { typesOfSchemas } from './types-of-schemas.ts';
import type { Schema } from './types-of-schemas.ts';

const sdk = join(import.meta.dir, '..');
const root = join(sdk, '..');
const out = process.argv[2] ?? join(sdk, 'dist');

/** Needed only by the tools for the AI SDK. */
const peers = {
  peerDependencies: { ai: '>=5.0.0 <8', zod: '^4.0.0' },
  peerDependenciesMeta: { ai: { optional: true }, zod: { optional: true } },
};

/** The tools recognise the errors of the client, so both must use the same classes. */
const errorsOfIndex = (ending: string): Bun.BunPlugin => ({
  name: 'errors-of-index',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/errors\.ts$/ }, ({ importer }) =>
      importer.startsWith(join(sdk, 'src'))
        ? { path: `./index.${ending}`, external: true }
        : undefined,
    );
  },
});

/** Programs that use `require` need CommonJS, because Node 20 cannot `require` ES modules. */
const moduleFormats = [
  ['esm', 'js'],
  ['cjs', 'cjs'],
] as const;

await rm(out, { recursive: true, force: true });
await bundle();
await declare();
await describePackage();
process.stdout.write(`Built ${out}. Publish it with: npm publish ${out}\n`);

async function bundle(): Promise<void> {
  for (const [format, ending] of moduleFormats) {
    const shared = { outdir: out, format, target: 'browser', naming: `[name].${ending}` } as const;
    await build({ ...shared, entrypoints: [join(sdk, 'src/index.ts')] });
    await build({
      ...shared,
      entrypoints: [join(sdk, 'src/ai.ts')],
      external: ['ai', 'zod'],
      plugins: [errorsOfIndex(ending)],
    });
  }
  await build({
    outdir: out,
    format: 'esm',
    entrypoints: [join(root, 'cli/src/package-main.ts')],
    target: 'node',
    naming: 'cli.js',
    banner: '#!/usr/bin/env node',
  });
  await chmod(join(out, 'cli.js'), 0o755);
}

async function build(config: Bun.BuildConfig): Promise<void> {
  const { success, logs } = await Bun.build(config);
  if (!success) throw new Error(logs.map(String).join('\n'));
}

/** Declarations from the compiler, with the contract's types generated beside them. */
async function declare(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-declarations-'));
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['-p', join(sdk, 'build', 'tsconfig.json'), '--outDir', folder];
    const run = Bun.spawnSync(['node', compiler, ...options], { cwd: root });
    if (run.exitCode !== 0) throw new Error(run.stdout.toString() + run.stderr.toString());
    const emitted = join(folder, 'sdk', 'src');
    for (const name of await readdir(emitted)) {
      if (!name.endsWith('.d.ts')) continue;
      await writeTypes(name, await readFile(join(emitted, name), 'utf8'));
    }
    await writeTypes('contract.d.ts', contractTypes());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** For modules, and for programs that use `require`. */
async function writeTypes(name: string, declaration: string): Promise<void> {
  for (const [format, ending] of moduleFormats) {
    const file = format === 'esm' ? name : name.replace(/\.d\.ts$/, '.d.cts');
    await writeFile(join(out, file), relink(declaration, ending));
  }
}

function relink(declaration: string, ending: string): string {
  return declaration
    .replaceAll(/(from\s+)(['"])@trivium\/contract\2/g, `$1'./contract.${ending}'`)
    .replaceAll(/(from\s+)(['"])(\.[^'"]*)\.ts\2/g, `$1'$3.${ending}'`);
}

function contractTypes(): string {
  const { components } = openApiDocument() as { components: { schemas: Record<string, Schema> } };
  // The API description does not refer to it, because it is part of `detail`, which may be
  // anything.
  const issue = z.toJSONSchema(ValidationIssue) as Schema;
  return `${typesOfSchemas({ ...components.schemas, ValidationIssue: issue })}
export type SearchRequestInput = SearchRequest;
export type ExtractRequestInput = ExtractRequest;
export type TranscriptionRequestInput = TranscriptionRequest;
export type KeyRotationInput = KeyRotation;
export type ErrorType = ErrorEnvelope['error']['type'];
export type JobStatus = Job['status'];
export type AttemptStatus = Job['attempt_status'];
export type ContentMode = ${unionOf(contentModes)};
export type ToolName = 'search' | 'extract' | 'transcription';
export type DeliveryState = WebhookDelivery['state'];
export type Outcome = ${unionOf(outcomes)};
export type AuditAction = ${unionOf(auditActions)};
export type EventType = ${unionOf(eventTypes)};
export type VendorNames = {
${providerIds.map((id) => `  ${id}: '${typedName(id)}';\n`).join('')}};
`;
}

function unionOf(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ');
}

async function describePackage(): Promise<void> {
  const own = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8')) as object;
  const { name, description, keywords, license, type, engines } = own as Record<string, unknown>;
  const exports = { '.': conditionsOf('index'), './ai': conditionsOf('ai') };
  const bin = { trivium: './cli.js' };
  const about = { name, version, description, keywords };
  const manifest = { ...about, license, type, engines, main: './index.cjs', exports, bin };
  const rest = { sideEffects: false, types: './index.d.ts', ...peers };
  await writeFile(
    join(out, 'package.json'),
    `${JSON.stringify({ ...manifest, ...rest }, null, 2)}\n`,
  );
  await cp(join(sdk, 'README.md'), join(out, 'README.md'));
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE'));
}

function conditionsOf(name: string): object {
  return {
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  };
}
