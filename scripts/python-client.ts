// Writes the generated parts of the Python client: its models, from the API description, and the
// blocking clients, from the async ones. `npm run generate -- python` runs it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@trivium/contract/openapi';
import { projectRoot } from './command.ts';
import { pythonModels } from './python-models.ts';
import { pythonRequests } from './python-requests.ts';

const folder = join(projectRoot, 'python', 'src', 'trivium_client');

/** The blocking modules, by the async module that each is generated from. */
const blocking: Readonly<Record<string, string>> = {
  '_async_client.py': '_client.py',
  '_async_admin.py': '_admin.py',
  '_async_admin_part.py': '_admin_part.py',
  '_async_admin_people.py': '_admin_people.py',
  '_async_admin_webhooks.py': '_admin_webhooks.py',
};

/** Phrases that differ between the two kinds of clients. */
const phrases: readonly (readonly [RegExp, string])[] = [
  // A blocking list is its first page, and reads the others when it is iterated over.
  [/\bAsyncPages\[(\w+), \w+\]/g, '$1'],
  [/\bAsyncPages\b/g, 'read_pages'],
  [/(The|operator's) async client/g, '$1 blocking client'],
  [/It runs on asyncio and trio\./g, 'It may be shared between threads.'],
  [
    /If the wait is cancelled, for example by Ctrl-C, the job continues, and\n +a warning .* names it\./g,
    'Ctrl-C raises WaitInterrupted, which names the job.',
  ],
];

/** Each generated file with its text. */
export function generatedFiles(): Map<string, string> {
  const document: unknown = openApiDocument();
  return new Map([
    ['models.py', pythonModels(document, 'models')],
    ['admin_models.py', pythonModels(document, 'admin_models')],
    ['requests.py', pythonRequests(document)],
    ...Object.entries(blocking).map(([source, made]) => {
      const text = blockingText(readFileSync(join(folder, source), 'utf8'));
      const note = `# Written by scripts/python-client.ts from ${source}: do not edit.`;
      return [made, `${note}\n${text}`] as const;
    }),
  ]);
}

/** Converts a module of async functions into one of plain functions. */
export function blockingText(text: string): string {
  const worded = phrases.reduce((now, [from, to]) => now.replace(from, to), text);
  return worded
    .replace(/\basync (def|with|for)\b/g, '$1')
    .replace(/\bawait /g, '')
    .replace(/\bAsync(?=[A-Z])/g, '')
    .replace(/(?<=\bfrom \._)async(?= )/g, 'sync')
    .replace(/(?<=\bfrom \._)async_/g, '');
}

export function readGenerated(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

if (import.meta.main) {
  for (const [name, text] of generatedFiles()) writeFileSync(join(folder, name), text);
}
