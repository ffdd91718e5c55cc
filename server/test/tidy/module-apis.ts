// The API of a module: other modules import its `index.ts`, or `core/index.ts` for its pure part,
// and no other file of it.
import { findImports, type Import } from './imports.ts';
import { isTest, type SourceFile } from './source.ts';

const src = 'server/src/';
const apiFile = new RegExp(`^${src}(?:\\w+/(?:core/)?index|store/opening)\\.ts$`);

/** Modules without an index: `app` is the root, and each file of `platform` is one API. */
const importedByFile = new Set(['app', 'platform']);

/** Imports of one file, past the index. */
const exceptions: Record<string, readonly string[]> = {
  // The thread of the embedded store loads these, and an index would load the rest of its module.
  'app/store-thread.ts': [
    ...['billing/book-batch.ts', 'requests/log-queue.ts', 'requests/refusals.ts'],
    ...['transcription/job-changes.ts'],
    'store/sqlite/sqlite-thread.ts',
  ],
  'billing/book-batch.ts': [
    'audit/audit.ts',
    'events/write-event.ts',
    'requests/store/idempotency.ts',
    'requests/store/rate-limits.ts',
    'requests/write-requests.ts',
  ],
  'billing/read-book.ts': ['requests/store/idempotency.ts', 'requests/store/rate-limits.ts'],
  'transcription/job-changes.ts': ['events/write-event.ts'],
  // The drop-in shape of Tavily's API spells countries as Tavily does; no other vendor is known.
  'http/routes/compat/tavily.ts': ['providers/tavily/countries.ts'],
};

/** Lists imports past an index, imports of a module's own index, and names that are not used. */
export function checkModuleApis(files: SourceFile[]): string[] {
  const sources = files.filter(({ path }) => path.startsWith(src) && !isTest(path));
  const used = new Set<string>();
  const faults = sources.flatMap((file) =>
    findImports(file).flatMap((found) => {
      for (const name of found.names ?? []) used.add(`${found.target} ${name}`);
      const fault = checkImport(file.path, found);
      return fault === undefined ? [] : [`${file.path}:${found.line}: ${fault}`];
    }),
  );
  const unused = sources.filter(isApi).flatMap((file) =>
    exportedNames(file)
      .filter((name) => !used.has(`${file.path} ${name}`))
      .map((name) => `${file.path}:1: no other module uses ${name}. Do not export it.`),
  );
  return [...faults, ...unused];
}

function checkImport(path: string, { kind, specifier, target }: Import): string | undefined {
  if (kind !== 'ours' || !target.startsWith(src) || apiFile.test(path)) return undefined;
  const there = moduleOf(target);
  if (there === moduleOf(path)) {
    return apiFile.test(target) ? `imports its own index; import the file itself.` : undefined;
  }
  const isAllowed = apiFile.test(target) || importedByFile.has(there) || isException(path, target);
  return isAllowed ? undefined : `imports ${specifier}; import ${there} through its index.`;
}

function isException(path: string, target: string): boolean {
  return exceptions[path.slice(src.length)]?.includes(target.slice(src.length)) ?? false;
}

/** `main.ts` belongs to `app`. */
function moduleOf(path: string): string {
  return /^server\/src\/(\w+)\//.exec(path)?.[1] ?? 'app';
}

/** How many names each module exports, its pure part included. */
export function countExportedNames(files: SourceFile[]): string {
  const counts = new Map<string, number>();
  for (const file of files.filter(isApi)) {
    const module = moduleOf(file.path);
    counts.set(module, (counts.get(module) ?? 0) + exportedNames(file).length);
  }
  return [...counts].map(([module, count]) => `${module} ${count}`).join(', ');
}

function isApi({ path }: SourceFile): boolean {
  return apiFile.test(path);
}

function exportedNames(file: SourceFile): readonly string[] {
  return findImports(file).flatMap(({ names }) => names ?? []);
}
