// The generated parts of the Python client: its models, from the API description, the admin client,
// from the operations, and the blocking clients, from the async ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@trivium/contract/openapi';
import { pythonAdmin, pythonFields } from './admin-python.ts';
import { projectRoot } from './command.ts';
import { pythonModels } from './python-models.ts';
import { pythonRequests } from './python-requests.ts';

const folder = join(projectRoot, 'python', 'src', 'trivium_client');

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

/** The generated files, by their paths in the project. */
export function pythonFiles(): Map<string, string> {
  const document: unknown = openApiDocument();
  const admin = pythonAdmin();
  const text = (source: string) => readFileSync(join(folder, source), 'utf8');
  const made = (source: string, python: string) =>
    `# Written by scripts/clients.ts from ${source}: do not edit.\n${python}`;
  const files = new Map([
    ['models.py', pythonModels(document, 'models')],
    ['admin_models.py', pythonModels(document, 'admin_models')],
    ['requests.py', pythonRequests(document)],
    ['_fields.py', pythonFields()],
    ['_async_admin.py', made('the operations', admin)],
    ['_admin.py', made('the operations', blockingText(admin))],
    ['_client.py', made('_async_client.py', blockingText(text('_async_client.py')))],
  ]);
  return new Map(
    [...files].map(([name, python]) => [join('python/src/trivium_client', name), python]),
  );
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
