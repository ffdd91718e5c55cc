// Holds manifests against the published types of Kubernetes, because its schemas let a misspelt
// field pass and the compiler does not.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULES = join(import.meta.dir, '..', '..', 'node_modules');

/** What the compiler complains of; empty when every field is known. */
export async function faultsInTypes(manifests: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-manifests-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    const lines = manifests.map((manifest, index) => {
      const { kind } = manifest as { kind?: unknown };
      return `export const m${index}: I${String(kind)} = ${JSON.stringify(manifest)};`;
    });
    await writeFile(join(folder, 'manifests.mts'), [...IMPORTS, ...lines, ''].join('\n'));
    const compiler = join(MODULES, 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const child = Bun.spawn(['node', compiler, ...flags, '--types', '', 'manifests.mts'], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'inherit',
    });
    return await new Response(child.stdout).text();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const IMPORTS = [
  "import type { IDeployment } from 'kubernetes-models/apps/v1';",
  "import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';",
  "import type { IService } from 'kubernetes-models/v1';",
];
