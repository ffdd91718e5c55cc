// Writes the generated files: the models and the admin client of the Python client, and the admin
// client and the filters of the TypeScript client. `npm run generate -- clients` runs it; a test compares.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typescriptFiles } from './admin-typescript.ts';
import { projectRoot } from './command.ts';
import { pythonFiles } from './python-client.ts';

/** The text of each generated file, by its path in the project. */
export function generatedFiles(): Map<string, string> {
  return new Map([...pythonFiles(), ...typescriptFiles()]);
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) writeFileSync(join(projectRoot, path), text);
}
