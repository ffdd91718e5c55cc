// Builds the publishable package in sdk/dist: JavaScript, declarations and a manifest.
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ValidationIssue, version } from '@trivium/contract';
import { openApiDocument } from '@trivium/contract/openapi';
import { z } from 'zod';
import { typesOfSchemas } from './types-of-schemas.ts';
import type { Schema } from './types-of-schemas.ts';

const sdk = join(import.meta.dir, '..');
const root = join(sdk, '..');
const out = process.argv[2] ?? join(sdk, 'dist');

/** Needed by the tools for the AI SDK alone. */
const peers = {
  peerDependencies: { ai: '>=5.0.0 <8', zod: '^4.0.0' },
  peerDependenciesMeta: { ai: { optional: true }, zod: { optional: true } },
};

/** The tools recognise the errors of the client, so both must use the same classes. */
const errorsOfIndex: Bun.BunPlugin = {
  name: 'errors-of-index',
  setup: (build) => {
    build.onResolve({ filter: /\/errors\.ts$/ }, ({ importer }) =>
      importer.startsWith(join(sdk, 'src')) ? { path: './index.js', external: true } : undefined,
    );
  },
};

await rm(out, { recursive: true, force: true });
await bundle();
await declare();
await describePackage();
process.stdout.write(`Built ${out}. Publish it with: npm publish ${out}\n`);

async function bundle(): Promise<void> {
  const shared = { outdir: out, format: 'esm' } as const;
  for (const result of [
    await Bun.build({ ...shared, entrypoints: [join(sdk, 'src/index.ts')], target: 'browser' }),
    await Bun.build({
      ...shared,
      entrypoints: [join(sdk, 'src/ai.ts')],
      target: 'browser',
      external: ['ai', 'zod'],
      plugins: [errorsOfIndex],
    }),
    await Bun.build({
      ...shared,
      entrypoints: [join(import.meta.dir, '../src/cli/package-main.ts')],
      target: 'node',
      naming: 'cli.js',
      banner: '#!/usr/bin/env node',
    }),
  ]) {
    if (!result.success) throw new Error(result.logs.map(String).join('\n'));
  }
  await chmod(join(out, 'cli.js'), 0o755);
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
      await writeFile(join(out, name), relink(await readFile(join(emitted, name), 'utf8')));
    }
    await writeFile(join(out, 'contract.d.ts'), contractTypes());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function relink(declaration: string): string {
  return declaration
    .replaceAll(/(from\s+)(['"])@trivium\/contract\2/g, "$1'./contract.js'")
    .replaceAll(/(from\s+)(['"])(\.[^'"]*)\.ts\2/g, "$1'$3.js'");
}

function contractTypes(): string {
  const { components } = openApiDocument() as { components: { schemas: Record<string, Schema> } };
  // The API description refers to it nowhere: it is inside `detail`, which may be anything.
  const issue = z.toJSONSchema(ValidationIssue) as Schema;
  return `${typesOfSchemas({ ...components.schemas, ValidationIssue: issue })}
export type SearchRequestInput = SearchRequest;
export type ExtractRequestInput = ExtractRequest;
export type TranscriptionRequestInput = TranscriptionRequest;
export type KeyRotationInput = KeyRotation;
export type ErrorType = ErrorEnvelope['error']['type'];
export type JobStatus = Job['status'];
export type AttemptStatus = Job['attempt_status'];
export type ToolName = 'search' | 'extract' | 'transcription';
`;
}

async function describePackage(): Promise<void> {
  const own = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8')) as object;
  const { name, description, license, type, engines } = own as Record<string, unknown>;
  const exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './ai': { types: './ai.d.ts', default: './ai.js' },
  };
  const bin = { trivium: './cli.js' };
  const manifest = { name, version, description, license, type, engines, exports, bin };
  const rest = { sideEffects: false, types: './index.d.ts', ...peers };
  await writeFile(
    join(out, 'package.json'),
    `${JSON.stringify({ ...manifest, ...rest }, null, 2)}\n`,
  );
  await cp(join(sdk, 'README.md'), join(out, 'README.md'));
  await cp(join(root, 'LICENSE'), join(out, 'LICENSE'));
}
