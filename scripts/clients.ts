// Writes the generated files: the models and the admin client of the Python client, and the admin
// client and the filters of the TypeScript client. `npm run generate -- clients` runs it; a test compares.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@trivium/contract/openapi';
import { pythonAdmin, pythonFields } from './admin-python.ts';
import { typescriptFiles } from './admin-typescript.ts';
import { projectRoot } from './command.ts';
import { pythonModels } from './python-models.ts';
import { pythonRequests } from './python-requests.ts';

/** The text of each generated file, by its path in the project. */
export function generatedFiles(): Map<string, string> {
  const document: unknown = openApiDocument();
  const python = {
    models: pythonModels(document, 'models'),
    admin_models: pythonModels(document, 'admin_models'),
    requests: pythonRequests(document),
    _fields: pythonFields(),
    _async_admin: `# Written by scripts/clients.ts from the operations: do not edit.\n${pythonAdmin()}`,
  };
  return new Map([
    ...Object.entries(python).map(
      ([name, text]) => [`python/src/trivium_client/${name}.py`, text] as const,
    ),
    ...typescriptFiles(),
  ]);
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) writeFileSync(join(projectRoot, path), text);
}
