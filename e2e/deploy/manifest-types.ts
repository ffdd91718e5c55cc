// Checks manifests against the published types of Kubernetes, because its schemas accept a misspelt
// field and the compiler does not.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const modules = join(import.meta.dir, '..', '..', 'node_modules');

/** The errors of the compiler; empty when every field is known. */
export async function faultsInTypes(manifests: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-manifests-'));
  try {
    await symlink(modules, join(folder, 'node_modules'));
    const lines = manifests.map((manifest, index) => {
      const { kind } = manifest as { kind?: unknown };
      return `export const m${index}: I${String(kind)} = ${JSON.stringify(manifest)};`;
    });
    await writeFile(join(folder, 'manifests.mts'), [...imports, ...lines, ''].join('\n'));
    const compiler = join(modules, 'typescript', 'bin', 'tsc');
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

const imports = [
  "import type { IDeployment } from 'kubernetes-models/apps/v1';",
  "import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';",
  "import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';",
  "import type { ISecret, IService } from 'kubernetes-models/v1';",
];
